/** The part of the command `check` that looks at ALLOWED_ORIGINS. */

import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'
import type { Shell } from './shell.ts'
import { isPrivateHost } from '../config/targets.ts'
import { exchangeBytes } from '../exchange.ts'
import { fine, note, problem } from './finding.ts'

const WHAT = 'origins'
const DEADLINE_MS = 8_000
const MAX_RESPONSE_BYTES = 10_000
/** The maximum number of origins for which the running server is asked. */
const MOST_ASKED = 5

/** Checks the origins themselves, and whether the server at PUBLIC_URL allows them to read its responses. */
export async function checkOrigins(shell: Shell, config: Config): Promise<Finding[]> {
  const { allowedOrigins, publicUrl } = config
  const { origin: own } = new URL(publicUrl)
  if (allowedOrigins.length === 0)
    return [note(WHAT, `ALLOWED_ORIGINS is not set: only pages of ${own} can take payments.`)]
  const wrong = allowedOrigins.flatMap((origin) => {
    const rule = ruleBrokenBy(new URL(origin))
    return rule === null ? [] : [problem(WHAT, `ALLOWED_ORIGINS has ${origin}: ${rule}.`)]
  })
  if (wrong.length > 0) return wrong
  const refused = await Promise.all(
    allowedOrigins
      .slice(0, MOST_ASKED)
      .map(async (origin) => ((await isAllowed(shell, publicUrl, origin)) === false ? [origin] : [])),
  )
  const names = refused.flat().join(', ')
  return names === ''
    ? [fine(WHAT, `Pages of ${[...new Set([own, ...allowedOrigins])].join(', ')} can take payments.`)]
    : [
        problem(
          WHAT,
          `The server at ${publicUrl} refuses pages of ${names}: restart it, or look at its proxy.`,
        ),
      ]
}

function ruleBrokenBy({ protocol, hostname }: URL): string | null {
  if (isPrivateHost(hostname)) return 'shoppers cannot open a page there'
  return protocol === 'https:' ? null : 'the pages of a shop must be https'
}

/** Resolves with whether the server lets pages of `origin` read its responses; `null` if the server does not respond. */
async function isAllowed(shell: Shell, publicUrl: string, origin: string): Promise<boolean | null> {
  const fetch = shell.fetchFor({ privateHosts: 'any' })
  const response = await exchangeBytes(fetch, shell.clock, {
    // The request that browsers send before others. It starts no checkout.
    method: 'OPTIONS',
    url: `${publicUrl}/checkout/initiate`,
    headers: { origin, 'access-control-request-method': 'POST' },
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MAX_RESPONSE_BYTES,
  })
  if (response.kind !== 'answer') return null
  return response.headers?.get('access-control-allow-origin') === origin
}
