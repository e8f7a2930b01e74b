/** The checks of the server at PUBLIC_URL: whether it is this server, and which pages it allows. */

import type { Context } from './context.ts'

/** Checks whether this server responds at PUBLIC_URL, and whether it can store a payment. */
export async function checkAddress({
  config: { publicUrl },
  askServer,
  fine,
  problem,
}: Context): Promise<void> {
  const url = `${publicUrl}/health/live`
  const live = await askServer('GET', url)
  if (live.kind === 'unreachable') {
    return problem(`${url} ${live.summary} from this machine. Is the server running?`)
  }
  if (live.kind !== 'answer' || live.status !== 200 || !/"status":\s*"live"/.test(live.text)) {
    return problem(`${url} ${live.summary}: it is not this server.`)
  }

  fine(`${url} is served by this server, as seen from this machine.`)
  const { status, summary } = await askServer('GET', `${publicUrl}/health/ready`)
  if (status === 200) {
    return fine('The running server is ready: it can store a payment.', 'ready')
  }

  const answer = `${publicUrl}/health/ready ${summary}`
  problem(`${answer}: the running server cannot store a payment; the log has the reason.`, 'ready')
}

/** The server has one rule for all origins, so a few show whether it was started with this configuration. */
const MAX_ORIGINS_ASKED = 5

/** Checks whether the server at PUBLIC_URL allows the origins to read its responses. */
export async function checkOrigins({ config, askServer, fine, note, problem }: Context): Promise<void> {
  const { allowedOrigins, publicUrl } = config
  const ownOrigin = new URL(publicUrl).origin
  if (allowedOrigins.length === 0) {
    return note(`ALLOWED_ORIGINS is not set: only pages of ${ownOrigin} can take payments.`)
  }

  const checks = allowedOrigins.slice(0, MAX_ORIGINS_ASKED).map(async (origin) => {
    // The request that browsers send before others. It starts no checkout.
    const headers = { origin, 'access-control-request-method': 'POST' }
    const response = await askServer('OPTIONS', `${publicUrl}/checkout/initiate`, headers)
    // The check of the address names a redirect, and a server that does not answer.
    const isAnswer = response.kind === 'answer' && response.status < 300
    const isRefused = isAnswer && response.headers?.get('access-control-allow-origin') !== origin
    return { origin, isRefused }
  })
  const asked = await Promise.all(checks)
  const refused = asked.filter(({ isRefused }) => isRefused).map(({ origin }) => origin)
  if (refused.length > 0) {
    return problem(
      `The server at ${publicUrl} refuses pages of ${refused.join(', ')}: restart it, or look at its proxy.`,
    )
  }

  fine(`Pages of ${[...new Set([ownOrigin, ...allowedOrigins])].join(', ')} can take payments.`)
}
