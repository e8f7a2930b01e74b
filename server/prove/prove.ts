/** Tests a webhook: sends it the sequences, each about an order of its own, and judges each, until the time is over. */

import { withTimeout } from '../work/clock.ts'
import { isTrueBeforeWork, needOf, needsCancel, Ruling, runSequence } from './run.ts'
import { adviceAbout, SEQUENCES, SKETCHED } from './sequences.ts'
import { describe, hasNumber, isSame } from './state.ts'

import type { ProveOptions } from './run.ts'
import type { Sequence, SequenceName } from './sequences.ts'
import type { Lines } from './state.ts'

export interface Verdict {
  name: string
  verdict: Ruling['verdict']
  reason: string
  /** What a failure costs and what to do, or the name of the sequence with the same advice. */
  advice: string | null
  ms: number
}

/** How long a run may take: a person waits for it. */
const LIMIT_MS = 27_000
/** From here on the webhook is why a run takes too long. */
const SLOW_MS = 1_000
const MAX_CONCURRENT = 6
/** A webhook that accepts none of the first events proves nothing by what it refuses. */
const FIRST = new Set<string>([
  'paid',
  'ping',
  'slow answer',
  'a redirect',
  'a page',
] satisfies SequenceName[])
/** Judged before the others: while it fails, what they look for may only come later. */
const PROMPT: SequenceName = '2xx before the work'
const HIDDEN = `work that comes after the answer may have been missed: see "${PROMPT}".`
const UNCOUNTED =
  '--state has no number when an order is paid, so fulfilling it twice cannot be seen: let it tell how often, such as "shipments": 1.'
const DIFFER = 'two orders that were paid alike differ: leave such ids out of --state.'
const STATE_NEEDED =
  '--create, which makes an order, and --state, which tells whether it is paid, how often it was fulfilled, and what a person has to look at: see "Your webhook" in the guide Testing.'
const OVERDUE = new Ruling('not proven', 'not over when the run ended: see below.')
const NOISE: Sequence = ['', { ...SKETCHED, answer: 'answered or not', facts: [] }]

/** How long each answer took, of the webhook and of the shop between the events, in milliseconds. */
type Times = Record<'your webhook' | '--create' | '--state', number[]>
type NamedSequence = { name: string; sequence: Sequence }

export async function prove(
  options: ProveOptions,
  onVerdict: (verdict: Verdict) => void,
  sequences: Readonly<Record<string, Sequence>> = SEQUENCES,
): Promise<Verdict[]> {
  const { clock, create, cancel, read } = options
  const times: Times = { 'your webhook': [], '--create': [], '--state': [] }
  const observed = {
    ...options,
    create: create && refuseRepeated(timed('--create', create)),
    read: read && timed('--state', read),
    onAnswer: (ms: number) => void times['your webhook'].push(ms),
  }
  const endsAt = clock.now() + LIMIT_MS
  const verdicts: Verdict[] = []
  /** What the webhook has shown so far: `isLate` if it answers before the work. */
  const shown = { isAccepting: false, hasEnded: false, isLate: false }
  /** What one payment adds to the state of an order, if this is known, and what any event adds. */
  const learned: { marks: Lines | null; noise: Lines } = { marks: null, noise: new Map() }
  const hasState = create !== null && read !== null
  // A shop that never cancels an order has nothing to prove about that.
  const all = Object.entries(sequences)
    .map(([name, sequence]) => ({ name, sequence }))
    .filter(({ sequence }) => cancel !== null || !needsCancel(sequence))
  const first = all.filter(({ name }) => FIRST.has(name) && (hasState || name !== 'paid'))
  await Promise.all(first.map(judge))
  const isKnown = { nothing: true, state: hasState, marks: learned.marks !== null }
  const rest = all.filter(({ name, sequence }) => !FIRST.has(name) && isKnown[needOf(sequence)])
  const unknowable = all.length - first.length - rest.length
  if (!shown.isAccepting) {
    return leaveOut('no genuine event is accepted: see above.')
  }
  if (rest[0]?.name === PROMPT) {
    await judge(rest.shift())
  }

  const worker = async () => {
    while (rest.length > 0 && clock.now() < endsAt && !shown.hasEnded) {
      await judge(rest.shift())
    }
  }

  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
  if (learned.marks && !hasNumber(learned.marks)) {
    leaveOut(UNCOUNTED, 'how often')
  }
  if (unknowable > 0) {
    leaveOut(`${unknowable} need ${hasState ? '"paid" to pass.' : STATE_NEEDED}`)
  }
  if (shown.hasEnded) {
    leaveOut(`${rest.length} are not sent: your shop has ended, and its log says why.`)
  }
  if (clock.now() >= endsAt) {
    leaveOut(overrun(times))
  }
  return verdicts

  function timed(what: keyof Times, ask: (order: string) => Promise<string>): typeof ask {
    return async (order) => {
      const askedAt = clock.now()
      return ask(order).finally(() => times[what].push(clock.now() - askedAt))
    }
  }

  async function judge(named: NamedSequence | undefined): Promise<void> {
    if (!named) {
      return
    }

    const startedAt = clock.now()
    const ruling = await withTimeout(endsAt - startedAt, clock, () => rule(named), OVERDUE).catch(asRuling)
    conclude(named.name, ruling, clock.now() - startedAt, named.sequence)
  }

  async function rule({ name, sequence }: NamedSequence): Promise<Ruling> {
    if (name === 'paid') {
      return learnMarks(sequence)
    }

    const { reason, isAccepted } = await runSequence(observed, sequence, learned.marks, learned.noise)
    shown.isAccepting ||= isAccepted
    if (FIRST.has(name) && !isAccepted) {
      throw new Ruling('not proven', `not accepted: ${reason}`)
    }
    if (shown.isLate && isTrueBeforeWork(sequence)) {
      throw new Ruling('not proven', `${reason}; ${HIDDEN}`)
    }
    return new Ruling('passed', reason)
  }

  /** Compares the states of two orders that are paid alike, without what an event that is no payment changes. */
  async function learnMarks(sequence: Sequence): Promise<Ruling> {
    learned.noise = (await runSequence(observed, NOISE, null)).marks ?? learned.noise
    const { reason, marks, isAccepted } = await runSequence(observed, sequence, null, learned.noise)
    const { marks: others } = await runSequence(observed, sequence, null, learned.noise)
    shown.isAccepting ||= isAccepted
    if (marks && others && !isSame(marks, others)) {
      throw new Ruling('not proven', `${DIFFER} ${describe(marks, others)}`)
    }

    learned.marks = marks
    return new Ruling('passed', reason)
  }

  function leaveOut(reason: string, name = 'all others'): Verdict[] {
    conclude(name, new Ruling('not proven', reason), 0)
    return verdicts
  }

  function conclude(name: string, ruling: Ruling, ms: number, [ownAdvice]: Sequence = ['']): void {
    const { verdict, message: reason, failure } = ruling
    const full = verdict === 'failed' ? adviceAbout(failure, ownAdvice) : null
    const earlier = full && verdicts.find((each) => each.advice === full)?.name
    const judged = { name, verdict, reason, advice: earlier ? `See "${earlier}".` : full, ms }
    verdicts.push(judged)
    shown.isLate ||= name === PROMPT && verdict === 'failed'
    shown.hasEnded ||= failure === 'not reached'
    onVerdict(judged)
  }
}

/** Refuses a reference that was made before: two sequences about one order would disturb each other. */
function refuseRepeated(create: (proposed: string) => Promise<string>): ProveOptions['create'] {
  const orders = new Set<string>()
  return async (proposed) => {
    const order = await create(proposed)
    if (orders.has(order)) {
      throw new Ruling('failed', `--create answered "${order}" for two orders.`, 'made twice')
    }

    orders.add(order)
    return order
  }
}

function asRuling(error: unknown): Ruling {
  if (error instanceof Ruling) {
    return error
  }
  throw error
}

/**
 * Says what the run waited for: the average time of each kind of answer, and what took most in all. An answer waits for
 * others that are asked for at the same time.
 */
function overrun(times: Times): string {
  const kinds = Object.entries(times).flatMap(([what, all]) => {
    const total = all.reduce((sum, ms) => sum + ms, 0)
    return all.length === 0 ? [] : [{ what, total, mean: total / all.length }]
  })
  const facts = kinds.map(({ what, mean }) => `${what} ${(mean / 1000).toFixed(1)} s`).join(', ')
  const [slowest] = kinds.toSorted((one, other) => other.total - one.total)
  const cure = slowest?.what === 'your webhook' && slowest.mean >= SLOW_MS ? ' Mark, answer, then work.' : ''
  return `the run ends after ${LIMIT_MS / 1000} seconds. An answer took on average, with up to ${MAX_CONCURRENT} at once: ${facts}. Most went to ${slowest?.what ?? 'nothing'}: is it slow, or this machine busy?${cure}`
}
