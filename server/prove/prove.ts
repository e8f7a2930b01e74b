/** Judges a webhook: sends it the sequences, each about an order of its own, until the time is over. */

import type { Proof } from './run.ts'
import type { Sequence } from './sequences.ts'
import type { Lines } from './state.ts'
import { withTimeout } from '../work/clock.ts'
import { follow, isTrueBefore, needOf, Ruling } from './run.ts'
import { adviceAbout, SEQUENCES, SKETCHED } from './sequences.ts'
import { describe, hasNumber, same } from './state.ts'

export interface Verdict {
  name: string
  verdict: Ruling['verdict']
  reason: string
  /** What it costs and what to do, if it failed; or where this is said already. */
  advice: string | null
  ms: number
}

const LIMIT_MS = 27_000
/** From here on the webhook is why a run takes too long. */
const SLOW_MS = 1_000
const AT_ONCE = 6
/** A webhook that accepts none of the first events proves nothing by what it refuses. */
const FIRST = ['paid', 'ping', 'slow answer', 'a redirect', 'a page']
/** Judged before the others: while it fails, what they look for may only come later. */
const PROMPT = '2xx before the work'
const HIDDEN = `work that comes after the answer may have been missed: see "${PROMPT}".`
const UNCOUNTED =
  '--state has no number when an order is paid, so fulfilling it twice cannot be seen: let it tell how often, such as "shipments": 1.'
const DIFFER = 'two orders that were paid alike differ: leave such ids out of --state.'
const STATE_NEEDED =
  '--create, which makes an order, and --state, which tells whether it is paid, how often it was fulfilled, and what a person has to look at: see "Your webhook" in the guide Testing.'
const OVERDUE = new Ruling('not proven', 'not over when the run ended: see below.')
const NOISE = ['', { ...SKETCHED, answer: 'answered in any way', facts: [] }] as const

export async function prove(
  means: Proof,
  onVerdict: (verdict: Verdict) => void,
  sequences: Readonly<Record<string, Sequence>> = SEQUENCES,
): Promise<Verdict[]> {
  const { clock } = means
  const answers: { type: string; ms: number }[] = []
  const onAnswer = (type: string, ms: number) => void answers.push({ type, ms })
  const proof = { ...means, create: means.create && unlike(means.create), onAnswer }
  const end = clock.now() + LIMIT_MS
  const verdicts: Verdict[] = []
  let [accepts, hasEnded, isLate] = [false, false, false]
  /** What one payment changes, if this is known, and what any event changes. */
  let [paid, noise]: [Lines | null, Lines] = [null, new Map()]
  const isReadable = means.create !== null && means.read !== null
  const names = Object.keys(sequences)
  const first = names.filter((name) => FIRST.includes(name) && (isReadable || name !== 'paid'))
  await Promise.all(first.map(judge))
  const known = ['nothing', isReadable && 'state', paid && 'paid']
  const rest = names.filter((name) => !FIRST.includes(name) && known.includes(needOf(sequences[name])))
  const left = names.length - first.length - rest.length
  if (!accepts) return leave('all others', 'no genuine event is accepted: see above.')
  const worker = async () => {
    while (rest[0] !== undefined && clock.now() < end && !hasEnded) await judge(rest.shift() ?? '')
  }
  if (rest[0] === PROMPT) await judge(rest.shift() ?? '')
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (paid && !hasNumber(paid)) leave('how often', UNCOUNTED)
  if (left > 0) leave('all others', `${left} need ${isReadable ? '"paid" to pass.' : STATE_NEEDED}`)
  if (hasEnded) leave('all others', `${rest.length} are not sent: your shop has ended, and its log says why.`)
  if (clock.now() >= end) leave('all others', overrun(answers))
  return verdicts

  async function judge(name: string): Promise<void> {
    const startedAt = clock.now()
    const left = Math.max(end - startedAt, 1)
    const ruling = await withTimeout(left, clock, () => work(name), OVERDUE).catch(asRuling)
    conclude(name, ruling, clock.now() - startedAt)
  }

  async function work(name: string): Promise<Ruling> {
    const sequence = sequences[name] ?? ['']
    if (name === 'paid') return learn(sequence)
    const { reason, accepted } = await follow(proof, sequence, paid, noise)
    accepts ||= accepted
    if (FIRST.includes(name) && !accepted) throw new Ruling('not proven', `not accepted: ${reason}`)
    if (isLate && isTrueBefore(sequence)) throw new Ruling('not proven', `${reason}; ${HIDDEN}`)
    return new Ruling('passed', reason)
  }

  /** Follows a payment, and an event that changes nothing. Two orders that are paid alike have to be alike. */
  async function learn(sequence: Sequence): Promise<Ruling> {
    noise = (await follow(proof, NOISE, null)).gain ?? noise
    const { reason, gain, accepted } = await follow(proof, sequence, null, noise)
    const { gain: other } = await follow(proof, sequence, null, noise)
    accepts ||= accepted
    if (gain && other && !same(gain, other))
      throw new Ruling('not proven', `${DIFFER} ${describe(gain, other)}`)
    paid = gain
    return new Ruling('passed', reason)
  }

  function leave(name: string, why: string): Verdict[] {
    conclude(name, new Ruling('not proven', why), 0)
    return verdicts
  }

  function conclude(name: string, { verdict, message: reason, kind }: Ruling, ms: number): void {
    const own = verdict === 'failed' ? adviceAbout(kind, sequences[name]?.[0] ?? '') : null
    const first = own && verdicts.find((each) => each.advice === own)?.name
    const judged = { name, verdict, reason, advice: first ? `See "${first}".` : own, ms }
    verdicts.push(judged)
    isLate ||= name === PROMPT && verdict === 'failed'
    hasEnded ||= reason.includes('ECONNREFUSED')
    onVerdict(judged)
  }
}

/** Makes no order twice: two sequences about one order would disturb each other. */
function unlike(create: (proposed: string) => Promise<string>): Proof['create'] {
  const orders = new Set<string>()
  return async (proposed) => {
    const order = await create(proposed)
    if (orders.has(order))
      throw new Ruling('failed', `--create answered "${order}" for two orders.`, 'made twice')
    orders.add(order)
    return order
  }
}

function asRuling(error: unknown): Ruling {
  if (error instanceof Ruling) return error
  throw error
}

/** Says why the run takes too long: the slowest answer of the webhook, or else what the shop is asked between. */
function overrun(answers: readonly { type: string; ms: number }[]): string {
  const [{ type, ms } = { type: '', ms: 0 }] = answers.toSorted((one, other) => other.ms - one.ms)
  const webhook = `${type} took ${(ms / 1000).toFixed(1)} s (your webhook, not --state): mark, answer, then work.`
  const cause = ms < SLOW_MS ? '--create or --state is slow.' : webhook
  return `the run ends after ${LIMIT_MS / 1000} seconds. ${cause}`
}
