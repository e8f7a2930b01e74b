/** What is wrong with the previous values of secrets at a time. The start and the command `check` say the same. */

import { acceptedAt, liesAhead } from './ending-secrets.ts'

import type { EndingSecrets } from './ending-secrets.ts'
import type { OrderSource } from './order-source.ts'
import type { Warning } from './read-variables.ts'

const DAY_MS = 24 * 3_600_000

/** What of the configuration ends. */
interface Ending {
  readonly apiKeys: EndingSecrets | null
  readonly readKeys: EndingSecrets | null
  readonly orders: OrderSource
}

/**
 * Returns what prevents a start at a time: the day on which a secret was replaced lies ahead, and is mistyped. Its
 * previous value would be accepted until long after that day.
 */
export function problemsAt(config: Ending, now: number): string[] {
  const ahead = endingIn(config).filter(({ keys }) => liesAhead(keys, now))
  return ahead.map(
    ({ variable }) => `${variable}_PREVIOUS_SINCE lies ahead: it is the day on which the value was replaced.`,
  )
}

/** Returns what is probably wrong at a time: also the previous values of secrets that are ignored by then. */
export function warningsAt(config: Ending & { warnings: readonly Warning[] }, now: number): Warning[] {
  const ignored = endingIn(config).filter(({ keys }) => acceptedAt(keys, now).length < keys.secrets.length)
  return [...config.warnings, ...ignored.map(warningOfIgnored)]
}

function warningOfIgnored({ variable, keys }: EndingVariable): Warning {
  const days = keys.previousForMs / DAY_MS
  const text = `${variable}_PREVIOUS is ignored: its time, ${days} days from ${variable}_PREVIOUS_SINCE, is over. Remove both.`
  return { about: 'variables', text }
}

interface EndingVariable {
  variable: string
  keys: EndingSecrets
}

/** Returns the secrets that are set, each with the name of its variable. */
function endingIn({ apiKeys, readKeys, orders }: Ending): EndingVariable[] {
  const all = [
    { variable: 'ORDER_SIGNING_KEY', keys: orders?.kind === 'signed' ? orders.keys : null },
    { variable: 'MERCHANT_API_KEY', keys: apiKeys },
    { variable: 'MERCHANT_READ_KEY', keys: readKeys },
  ]
  return all.flatMap(({ variable, keys }) => (keys === null ? [] : [{ variable, keys }]))
}
