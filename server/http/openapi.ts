/** The OpenAPI document, generated from the route table and its schemas. */
import { z } from 'zod'
import { errorBodySchema } from '@/lib/contract/errors'
import { type ApiRoute, apiRoutes } from '@/lib/contract/routes'

type Json = Record<string, unknown>

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of apiRoutes) {
    const at = paths[route.path] ?? {}
    at[route.method.toLowerCase()] = operation(route)
    paths[route.path] = at
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Belay', version, description: 'Names are camelCase, times ISO 8601 UTC, ids opaque strings.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'belay_<port>' },
      },
      schemas: { Error: jsonSchema(errorBodySchema, 'output') },
    },
  }
}

function operation(route: ApiRoute): Json {
  return {
    summary: route.summary,
    ...(route.entry === 'open' && { security: [] }),
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body && {
      requestBody: { content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } },
    }),
    responses: {
      [route.status]: { description: 'Done or accepted', ...content(route) },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function content(route: ApiRoute): Json {
  if (route.media) return { content: { [route.media]: { schema: { type: 'string' } } } }
  return route.answer ? { content: { 'application/json': { schema: jsonSchema(route.answer, 'output') } } } : {}
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  const schema = query ? jsonSchema(query, 'input') : {}
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : [])
  return Object.entries((schema.properties ?? {}) as Json).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
