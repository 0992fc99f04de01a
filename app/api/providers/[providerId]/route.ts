import { changeProviderBody, providerParams } from '@/lib/contract/providers'
import { route } from '@/server/container/route'

export const PATCH = route(
  { params: providerParams, body: changeProviderBody },
  async ({ providers }, { params, body, request }) => ({
    status: 200,
    body: { provider: await providers.change(params.providerId, body, request.signal) },
  }),
)
