import { changeProviderBody, providerParams } from '@/lib/contract/providers'
import { route } from '@/server/container/route'

export const POST = route(
  { params: providerParams, body: changeProviderBody },
  async ({ providers }, { params, body, request }) => ({
    status: 200,
    body: await providers.test(params.providerId, body, request.signal),
  }),
)
