import { pay } from '../../../pay.mjs'

async function answer(request) {
  const server = await pay()
  return server.fetch(request, { address: addressOf(request) })
}

// Next keeps a header that the client has written. Only a proxy adds the client's address to it, or its own, at the end.
function addressOf(request) {
  const { TRUSTED_PROXIES = 'none' } = process.env
  const addresses = TRUSTED_PROXIES === 'none' ? null : request.headers.get('x-forwarded-for')
  return addresses?.split(',').at(-1)?.trim()
}

export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
