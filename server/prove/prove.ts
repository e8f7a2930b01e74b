/** Judges a webhook: sends it the sequences, each about an order of its own, until the time is over. */

import type { Proof } from './run.ts'
import type { Sequence } from './sequences.ts'
import type { Lines } from './state.ts'
import { withTimeout } from '../work/clock.ts'
import { follow, Ruling } from './run.ts'
import { adviceAbout, SEQUENCES } from './sequences.ts'
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
/** A webhook that accepts none of the first events proves nothing by what it refuses. */
const FIRST = ['paid', 'ping', 'slow answer', 'a redirect', 'a page']
const NOISE = ['', { type: 'checkout.sketched', answer: 'answered in any way', facts: [] }] as const

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
  let accepts = false
  /** What any event changes. */
  let noise: Lines = new Map()
  const names = Object.keys(sequences)
  await Promise.all(names.filter((name) => FIRST.includes(name)).map(judge))
  const rest = names.filter((name) => !FIRST.includes(name))
  if (!accepts)
    return conclude('all others', new Ruling('not proven', 'no genuine event is accepted: see above.'), 0)
  const worker = async () => {
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) await judge(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return verdicts

  async function judge(name: string): Promise<void> {
    const startedAt = clock.now()
    const late = new Ruling('not proven', `the run ends after ${LIMIT_MS / 1000} seconds: something is slow.`)
    const left = Math.max(end - startedAt, 1)
    const ruling = await withTimeout(left, clock, () => work(name), late).then(
      (reason) => new Ruling('passed', reason),
      (error: unknown) => {
        if (error instanceof Ruling) return error
        throw error
      },
    )
    conclude(name, ruling, clock.now() - startedAt)
  }

  async function work(name: string): Promise<string> {
    const sequence = sequences[name] ?? ['']
    if (name === 'paid') return learn(sequence)
    const isFirst = FIRST.includes(name)
    const { reason, accepted } = await follow(proof, sequence, isFirst ? null : paid, noise)
    accepts ||= accepted
    if (isFirst && !accepted) throw new Ruling('not proven', `not accepted: ${reason}`)
    return reason
  }

  /** Follows a payment, and an event that changes nothing. Two orders that are paid alike have to be alike. */
  async function learn(sequence: Sequence): Promise<string> {
    noise = (await follow(proof, NOISE, null)).gain ?? noise
    const { reason, gain, accepted } = await follow(proof, sequence, null, noise)
    const { gain: other } = await follow(proof, sequence, null, noise)
    accepts ||= accepted
    if (!gain || !other) return reason
    paid = same(gain, other)
      ? gain
      : `two orders that were paid alike differ: leave such ids out of --state. ${describe(gain, other)}.`
    return reason
  }

  function conclude(name: string, { verdict, message: reason, kind }: Ruling, ms: number): Verdict[] {
    const advice = verdict === 'failed' ? adviceAbout(kind, sequences[name]?.[0] ?? '') : null
    const judged = { name, verdict, reason, advice, ms }
    verdicts.push(judged)
    onVerdict(judged)
    return verdicts
  }
}
