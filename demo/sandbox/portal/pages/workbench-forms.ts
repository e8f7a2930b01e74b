import { z } from 'zod'
import { planScenario } from '../../payouts/operator.ts'
import { isPayoutScenario } from '../../scenarios.ts'
import { MAX_ADVANCE_SECONDS, MAX_SPEED } from '../../timeline/limits.ts'
import { messageOf } from '../../wire/failure.ts'
import { FaultRequest } from '../../wire/faults.ts'
import { form, refused } from '../page.ts'
import { DEVELOPERS } from '../roles.ts'
import type { Outcome, PortalForm, Visit } from '../page.ts'

/** By name: what a fault does. */
export const FAULTS = {
  latency: 'Delay the request (latency)',
  status: 'Answer with an error status (status)',
  html: 'Answer with an HTML page (html)',
  reset: 'Cut the connection before any work is done (reset)',
  answer_lost: 'Do the work, then cut the connection (answer_lost)',
  truncate: 'Do the work and send half of the response (truncate)',
  token_expired: 'Refuse the token as expired (token_expired)',
  callback_drop: 'Do not send the callback (callback_drop)',
  callback_delay: 'Send the callback later (callback_delay)',
  callback_duplicate: 'Send the callback twice (callback_duplicate)',
  callback_reorder: 'Hold the callback until another was sent (callback_reorder)',
  callback_corrupt: 'Send half of the callback (callback_corrupt)',
} as const satisfies Record<FaultRequest['fault'], string>

const ADVANCE = z.object({ seconds: wholeNumber('Seconds', 1, MAX_ADVANCE_SECONDS) })
const SPEED = z.object({
  speed: decimalNumber('Speed', MAX_SPEED),
})
const FAULT = z.object({
  fault: z.string().refine((name) => Object.hasOwn(FAULTS, name), 'Fault must be one of the list.'),
  route: z
    .string()
    .trim()
    .regex(/^(\*|\/\S{0,199})$/, 'Route must be * or a path such as /v2/checkout/initiate.'),
  ms: emptyOr(wholeNumber('Milliseconds', 0, 600_000)),
  status: emptyOr(wholeNumber('Status', 400, 599)),
  next: emptyOr(wholeNumber('Next', 1, 1_000_000)),
  probability: emptyOr(decimalNumber('Probability', 1)),
})
const PLAN = z.object({
  payout_reference: z
    .string()
    .trim()
    .min(1, 'Reference is required.')
    .max(100, 'Reference must have at most 100 characters.'),
  scenario: z.string().refine(isPayoutScenario, 'Scenario must be one of the list.'),
})
const RESET = z.object({ sure: z.literal('on', 'Tick the box: everything is replaced.') })

/** The forms of the workbench, by name. */
export const WORKBENCH_FORMS: Readonly<Record<string, PortalForm>> = {
  advance: form(DEVELOPERS, ADVANCE, async ({ simulation, world, user }, { seconds }) => {
    await simulation.timeline.advance(seconds * 1_000)
    // Otherwise, a day ahead would end the sign-in of the user who asked for it.
    world.signIns.prolong(user.email)
    return { notice: `The clock was moved ahead by ${seconds} seconds.` }
  }),
  speed: form(DEVELOPERS, SPEED, setSpeed),
  fault: form(DEVELOPERS, FAULT, addFault),
  'clear-faults': form(DEVELOPERS, z.object({}), ({ world }) => {
    world.faults.clear()
    return { notice: 'No fault is left.' }
  }),
  plan: form(DEVELOPERS, PLAN, ({ world }, { payout_reference, scenario }) => {
    const failure = planScenario(world, payout_reference, scenario)
    if (failure) return refused('payout_reference', messageOf(failure))
    return { notice: `The payout ${payout_reference} will end with ${scenario}.` }
  }),
  reset: form(DEVELOPERS, RESET, ({ simulation }) => {
    simulation.reset()
    return { to: '/', notice: 'Everything was replaced.' }
  }),
}

function setSpeed({ simulation }: Visit, { speed }: z.output<typeof SPEED>): Outcome {
  try {
    simulation.timeline.setSpeed(speed)
  } catch (error) {
    // A timeline without real time throws a RangeError, because it has no speed.
    if (!(error instanceof RangeError)) throw error
    return refused('speed', error.message)
  }
  return { notice: speed === 0 ? 'The clock stands still.' : `The clock runs at ${speed} times real time.` }
}

function addFault({ world }: Visit, { fault, ...values }: z.output<typeof FAULT>): Outcome {
  const { ms, status, next, probability } = values
  if (ms === null && ['latency', 'callback_delay'].includes(fault))
    return refused('ms', 'Milliseconds are required for this fault.')
  if (status === null && fault === 'status') return refused('status', 'Status is required for this fault.')
  if (next !== null && probability !== null)
    return refused('probability', 'Probability and Next exclude each other.')
  const given = Object.entries({ ...values, fault }).filter(([, value]) => value !== null)
  const added = world.faults.add(FaultRequest.parse(Object.fromEntries(given)))
  return added
    ? { notice: 'The fault was added.' }
    : refused('fault', 'There are too many faults: clear them.')
}

function wholeNumber(label: string, min: number, max: number) {
  const rule = `${label} must be a whole number from ${min} to ${max}.`
  return z
    .string()
    .trim()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, rule)
    .transform(Number)
}

function decimalNumber(label: string, max: number) {
  const rule = `${label} must be a number from 0 to ${max}.`
  return z
    .string()
    .trim()
    .refine((text) => /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) <= max, rule)
    .transform(Number)
}

function emptyOr(field: ReturnType<typeof wholeNumber>) {
  return z
    .string()
    .trim()
    .transform((text) => (text === '' ? null : text))
    .pipe(field.nullable())
}
