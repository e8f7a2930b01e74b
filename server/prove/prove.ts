/** Judges a webhook: sends it the sequences, each about an order of its own, until the time is over. */

import type { Proof } from './run.ts'
import type { Sequence } from './sequences.ts'
import type { Lines } from './state.ts'
import { withTimeout } from '../work/clock.ts'
import { Ruling } from './ruling.ts'
import { follow } from './run.ts'
import { SEQUENCES } from './sequences.ts'
import { describe, same } from './state.ts'

export interface Verdict {
  name: string
  verdict: Ruling['verdict']
  reason: string
  /** What it costs and what to do, if it failed. */
  advice: string | null
  ms: number
}

const LIMIT_MS = 27_000
const AT_ONCE = 6
/** A webhook that accepts neither of these proves nothing by what it refuses. */
const GENUINE = ['paid', 'ping']
/** These say why. */
const FIRST = [...GENUINE, 'slow answer', 'a redirect', 'a page']

export async function prove(
  proof: Proof,
  onVerdict: (verdict: Verdict) => void,
  sequences: Readonly<Record<string, Sequence>> = SEQUENCES,
): Promise<Verdict[]> {
  const { clock } = proof
  const end = clock.now() + LIMIT_MS
  const verdicts: Verdict[] = []
  /** What one payment changes, or why it is not known. */
  let paid: Lines | string = '"paid" has not passed.'
  const rest = Object.keys(sequences).filter((name) => !FIRST.includes(name))
  await Promise.all(FIRST.map(judge))
  const accepts = verdicts.some(({ name, verdict }) => GENUINE.includes(name) && verdict === 'passed')
  const worker = async () => {
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) await judge(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return verdicts

  async function work(name: string, sequence: Sequence): Promise<string> {
    if (FIRST.includes(name)) {
      const { reason, gain } = await follow(proof, sequence, null)
      if (name === 'paid' && gain) paid = await compare(sequence, gain)
      return reason
    }
    if (accepts) return (await follow(proof, sequence, paid)).reason
    throw new Ruling('not proven', 'the webhook accepts no genuine event: see "paid" and "ping".')
  }

  /** Pays another order in the same way. */
  async function compare(sequence: Sequence, gain: Lines): Promise<Lines | string> {
    const { gain: other } = await follow(proof, sequence, null)
    if (!other || same(gain, other)) return gain
    return `two orders that were paid alike have other states: leave ids out of --state. ${describe(gain, other)}.`
  }

  async function judge(name: string): Promise<void> {
    const sequence = sequences[name]
    if (!sequence) return
    const startedAt = clock.now()
    const late = new Ruling('not proven', `the run ends after ${LIMIT_MS / 1000} seconds: something is slow.`)
    const left = Math.max(end - startedAt, 1)
    const { verdict, message } = await withTimeout(left, clock, () => work(name, sequence), late).then(
      (reason) => new Ruling('passed', reason),
      (error: unknown) => {
        if (error instanceof Ruling) return error
        throw error
      },
    )
    const advice = verdict === 'failed' ? sequence[0] : null
    const judged = { name, verdict, reason: message, advice, ms: clock.now() - startedAt }
    verdicts.push(judged)
    onVerdict(judged)
  }
}
