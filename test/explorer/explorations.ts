/** What is explored, and how far. Sizes are numbers of transitions, so that they do not depend on the machine. */

import type { Part } from './alphabet.ts'
import type { Exploration, Report } from './explore.ts'
import { explore } from './explore.ts'
import { Machine } from './machine.ts'

/** `share` is the share of the transitions. */
type Sized = Omit<Exploration, 'transitions'> & { share: number }

const USUAL: readonly Part[] = ['start', 'query', 'wait', 'accept', 'money']
const WIDE = { fullDepth: 3, beyond: 'classes' } as const
/** Long stories, whose answers are up to date. */
const DEEP = { fullDepth: 0, beyond: 'up to date' } as const
const PAYING: readonly Part[] = ['start', 'query', 'wait', 'full']

const EXPLORATIONS: readonly Sized[] = [
  { name: 'hosted', subject: 'hosted', parts: USUAL, ...WIDE, share: 4 },
  { name: 'splits', subject: 'splits', parts: [...USUAL, 'decide'], ...WIDE, share: 3 },
  { name: 'prompt', subject: 'prompt', parts: [...USUAL, 'decide'], ...WIDE, share: 3 },
  {
    name: 'prompt by id',
    subject: 'prompt',
    parts: USUAL,
    ...WIDE,
    share: 2,
    manner: { isById: true },
  },
  { name: 'charge', subject: 'charge', parts: [...USUAL, 'decide'], ...WIDE, share: 3 },
  { name: 'charge by id', subject: 'charge', parts: USUAL, ...WIDE, share: 1, manner: { isById: true } },
  { name: 'payout', subject: 'payout', parts: USUAL, ...WIDE, share: 2 },
  { name: 'b2b', subject: 'b2b', parts: USUAL, ...WIDE, share: 1 },
  { name: 'airtime', subject: 'airtime', parts: USUAL, ...WIDE, share: 2 },

  { name: 'an order that changes', subject: 'hosted', parts: [...PAYING, 'change'], ...DEEP, share: 1 },
  { name: 'a wrong clock', subject: 'hosted', parts: [...PAYING, 'clock'], ...DEEP, attempts: 2, share: 1 },
  {
    name: 'payments as events',
    subject: 'hosted',
    parts: ['start', 'query', 'wait', 'decline', 'full'],
    ...DEEP,
    share: 1,
    manner: { listsEvents: true },
  },
  {
    name: 'the end of a session',
    subject: 'hosted',
    parts: ['start', 'wait', 'full'],
    fullDepth: 0,
    beyond: 'classes',
    attempts: 2,
    share: 3,
  },
  {
    name: 'a forgotten session',
    subject: 'hosted',
    parts: [...PAYING, 'forget'],
    ...DEEP,
    attempts: 1,
    share: 1,
  },
  { name: 'a forgotten payout', subject: 'payout', parts: [...PAYING, 'forget'], ...DEEP, share: 1 },
  { name: 'forgotten airtime', subject: 'airtime', parts: [...PAYING, 'forget'], ...DEEP, share: 1 },
  {
    name: 'a disowned prompt',
    subject: 'prompt',
    parts: ['start', 'wait', 'full', 'disown'],
    ...DEEP,
    attempts: 2,
    share: 1,
  },
  {
    name: 'a charge and a wrong 120',
    subject: 'charge',
    parts: [...PAYING, 'accept'],
    ...DEEP,
    share: 1,
    manner: { isWrongOnce: true },
  },
  {
    name: 'a decision that never arrives',
    subject: 'charge',
    parts: [...PAYING, 'accept', 'decide'],
    ...DEEP,
    share: 1,
    manner: { losesDecisions: true },
  },
  {
    name: 'lies about a charge',
    subject: 'charge',
    parts: PAYING,
    ...WIDE,
    fullDepth: 2,
    share: 2,
    manner: { lies: true },
  },
  {
    name: 'lies about a prompt',
    subject: 'prompt',
    parts: PAYING,
    ...WIDE,
    fullDepth: 2,
    share: 2,
    manner: { lies: true },
  },
  { name: 'a restored order', subject: 'hosted', parts: ['start', 'full', 'restore'], ...DEEP, share: 1 },
  {
    name: 'a restored prompt',
    subject: 'prompt',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    share: 1,
  },
  {
    name: 'a restored prompt by id',
    subject: 'prompt',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    share: 1,
    manner: { isById: true },
  },
  {
    name: 'a restored charge',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    share: 1,
  },
  {
    name: 'a restored payout',
    subject: 'payout',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    share: 1,
  },
  {
    name: 'restored airtime',
    subject: 'airtime',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    share: 1,
  },
  {
    name: 'a backend that is away',
    subject: 'payout',
    parts: ['start', 'query', 'wait', 'full', 'give up', 'sweep'],
    ...DEEP,
    share: 1,
  },
  {
    name: 'a rotated secret',
    subject: 'airtime',
    parts: ['start', 'query', 'wait', 'accept', 'full', 'sweep', 'rotate'],
    ...DEEP,
    share: 2,
  },
]

const SHARE = { usual: 3_000, full: 22_000 }

export function explorations(isFull = Boolean(process.env['FULL'])): Exploration[] {
  const each = isFull ? SHARE.full : SHARE.usual
  return EXPLORATIONS.map(({ share, ...exploration }) => ({ ...exploration, transitions: share * each }))
}

let machine: Machine | null = null

export function run(exploration: Exploration): Promise<Report> {
  machine ??= new Machine()
  return explore(machine, exploration)
}
