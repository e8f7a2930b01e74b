/** What is explored, and how far. Sizes are numbers of transitions, so that they do not depend on the machine. */

import { explore } from './explore.ts'
import { Machine } from './machine.ts'

import type { Part } from './alphabet.ts'
import type { Exploration, Report } from './explore.ts'

const USUAL: readonly Part[] = ['start', 'query', 'wait', 'accept', 'money']
const WIDE = { fullDepth: 3, beyond: 'classes' } as const
/** Long stories, whose answers are up to date. */
const DEEP = { fullDepth: 0, beyond: 'up to date' } as const
const PAYING: readonly Part[] = ['start', 'query', 'wait', 'full']

/** In `npm test`, each has a tenth of a second to two seconds. */
const EXPLORATIONS: readonly Exploration[] = [
  { name: 'hosted', subject: 'hosted', parts: USUAL, ...WIDE, transitions: 2500 },
  { name: 'splits', subject: 'splits', parts: [...USUAL, 'decide'], ...WIDE, transitions: 1500 },
  { name: 'prompt', subject: 'prompt', parts: [...USUAL, 'decide'], ...WIDE, transitions: 1500 },
  {
    name: 'prompt by id',
    subject: 'prompt',
    parts: [...USUAL, 'resolve'],
    ...WIDE,
    transitions: 1000,
    manner: { isById: true },
  },
  { name: 'charge', subject: 'charge', parts: [...USUAL, 'decide'], ...WIDE, transitions: 1500 },
  {
    name: 'charge by id',
    subject: 'charge',
    parts: USUAL,
    ...WIDE,
    transitions: 800,
    manner: { isById: true },
  },
  { name: 'payout', subject: 'payout', parts: USUAL, ...WIDE, transitions: 1500 },
  { name: 'b2b', subject: 'b2b', parts: USUAL, ...WIDE, transitions: 800 },
  { name: 'airtime', subject: 'airtime', parts: USUAL, ...WIDE, transitions: 1500 },

  {
    name: 'an order that changes',
    subject: 'hosted',
    parts: [...PAYING, 'change'],
    ...DEEP,
    transitions: 800,
  },
  {
    name: 'a wrong clock',
    subject: 'hosted',
    parts: [...PAYING, 'clock'],
    ...DEEP,
    attempts: 2,
    transitions: 800,
  },
  {
    name: 'payments as events',
    subject: 'hosted',
    parts: ['start', 'query', 'wait', 'decline', 'full'],
    ...DEEP,
    transitions: 600,
    manner: { listsEvents: true },
  },
  {
    name: 'the end of a session',
    subject: 'hosted',
    parts: ['start', 'wait', 'full'],
    fullDepth: 0,
    beyond: 'not silent',
    attempts: 2,
    transitions: 1200,
  },
  {
    name: 'late money',
    subject: 'splits',
    parts: ['start', 'query', 'wait', 'accept', 'late'],
    fullDepth: 0,
    beyond: 'not silent',
    attempts: 1,
    transitions: 5_000,
  },
  {
    name: 'money that goes back',
    subject: 'hosted',
    parts: ['start', 'query', 'wait', 'full', 'return'],
    fullDepth: 0,
    beyond: 'not silent',
    attempts: 1,
    transitions: 1500,
  },
  {
    name: 'a charge whose money goes back',
    subject: 'charge',
    parts: ['start', 'query', 'wait', 'full', 'return'],
    fullDepth: 0,
    beyond: 'not silent',
    transitions: 1000,
  },
  {
    name: 'money that is left out',
    subject: 'hosted',
    parts: ['start', 'query', 'wait', 'part'],
    ...DEEP,
    attempts: 1,
    transitions: 4000,
    manner: { leavesOut: true },
  },
  {
    name: 'a forgotten session',
    subject: 'hosted',
    parts: [...PAYING, 'forget'],
    ...DEEP,
    attempts: 1,
    transitions: 1300,
  },
  { name: 'a forgotten payout', subject: 'payout', parts: [...PAYING, 'forget'], ...DEEP, transitions: 800 },
  { name: 'forgotten airtime', subject: 'airtime', parts: [...PAYING, 'forget'], ...DEEP, transitions: 800 },
  {
    name: 'a disowned prompt',
    subject: 'prompt',
    parts: ['start', 'wait', 'full', 'disown', 'resolve'],
    ...DEEP,
    attempts: 2,
    transitions: 2000,
  },
  {
    name: 'a resolved page whose money moves on',
    subject: 'hosted',
    parts: ['start', 'wait', 'stuck', 'resolve'],
    fullDepth: 0,
    beyond: 'first',
    attempts: 2,
    transitions: 3000,
  },
  {
    name: 'a resolved charge whose money moves on',
    subject: 'charge',
    parts: ['start', 'query', 'wait', 'full', 'stuck', 'resolve'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 700,
  },
  {
    name: 'a resolved payout whose money moves on',
    subject: 'payout',
    parts: ['start', 'query', 'wait', 'full', 'stuck', 'resolve'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 600,
  },
  {
    name: 'a charge and a wrong 120',
    subject: 'charge',
    parts: [...PAYING, 'accept'],
    ...DEEP,
    transitions: 600,
    manner: { isWrongOnce: true },
  },
  {
    name: 'a decision that never arrives',
    subject: 'charge',
    parts: [...PAYING, 'accept', 'decide'],
    ...DEEP,
    transitions: 500,
    manner: { losesDecisions: true },
  },
  {
    name: 'a part that is refused',
    subject: 'splits',
    parts: ['start', 'query', 'part', 'full', 'accept', 'decide'],
    fullDepth: 0,
    beyond: 'first',
    attempts: 1,
    transitions: 700,
    manner: { losesDecisions: true },
  },
  {
    name: 'a decision that never arrives, and is resolved',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'accept', 'decide', 'day', 'resolve', 'details'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 1500,
    manner: { losesDecisions: true },
  },
  {
    name: 'a decision that is taken once, and is resolved',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'decide', 'day', 'resolve'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 3000,
    manner: { takesOnce: true },
  },
  {
    name: 'a charge that is paid again',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'return', 'again', 'accept', 'resolve', 'details'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 3000,
  },
  {
    name: 'a contradicted charge',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'contradict', 'decide', 'resolve'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 1500,
  },
  {
    name: 'lies about a charge',
    subject: 'charge',
    parts: PAYING,
    ...WIDE,
    fullDepth: 2,
    transitions: 800,
    manner: { lies: true },
  },
  {
    name: 'lies about a payout',
    subject: 'payout',
    parts: PAYING,
    ...WIDE,
    transitions: 1_500,
    manner: { lies: true },
  },
  {
    name: 'lies about airtime',
    subject: 'airtime',
    parts: PAYING,
    ...WIDE,
    transitions: 1_500,
    manner: { lies: true },
  },
  {
    name: 'lies about a prompt',
    subject: 'prompt',
    parts: PAYING,
    ...WIDE,
    fullDepth: 0,
    transitions: 800,
    manner: { lies: true },
  },
  {
    name: 'a restored order',
    subject: 'hosted',
    parts: ['start', 'full', 'restore'],
    ...DEEP,
    transitions: 900,
  },
  {
    name: 'a restored prompt',
    subject: 'prompt',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    transitions: 800,
  },
  {
    name: 'a restored prompt by id',
    subject: 'prompt',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    transitions: 500,
    manner: { isById: true },
  },
  {
    name: 'a restored charge',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    transitions: 200,
  },
  {
    name: 'a restored decision',
    subject: 'charge',
    parts: ['start', 'query', 'full', 'accept', 'decide', 'back up', 'restore'],
    fullDepth: 0,
    beyond: 'first',
    transitions: 2000,
  },
  {
    name: 'a restored payout',
    subject: 'payout',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    transitions: 200,
  },
  {
    name: 'restored airtime',
    subject: 'airtime',
    parts: ['start', 'query', 'full', 'restore'],
    ...DEEP,
    transitions: 200,
  },
  {
    name: 'a backend that is away',
    subject: 'payout',
    parts: ['start', 'query', 'wait', 'full', 'give up', 'sweep'],
    ...DEEP,
    transitions: 2000,
  },
  {
    name: 'a rotated secret',
    subject: 'airtime',
    parts: ['start', 'query', 'wait', 'accept', 'full', 'sweep', 'rotate'],
    ...DEEP,
    transitions: 4600,
  },
]

/** How many times as many transitions the longer proof makes, unless it has met every state before. */
const FULL_FACTOR = 50

export function explorations(isFull = Boolean(process.env['FULL'])): Exploration[] {
  return EXPLORATIONS.map((exploration) => ({
    ...exploration,
    transitions: exploration.transitions * (isFull ? FULL_FACTOR : 1),
  }))
}

let machine: Machine | null = null

export function run(exploration: Exploration): Promise<Report> {
  machine ??= new Machine()
  return explore(machine, exploration)
}
