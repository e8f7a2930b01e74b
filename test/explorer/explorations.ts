/** What is explored, and how far. Sizes are numbers of transitions, so that they do not depend on the machine. */

import type { Exploration, Report } from './explore.ts'
import { explore } from './explore.ts'
import { Machine } from './machine.ts'

type Sized = Omit<Exploration, 'transitions'> & { share: number }

/** Each with its share of the transitions. */
const EXPLORATIONS: readonly Sized[] = [
  { name: 'hosted', subject: 'hosted', extras: ['money'], fullDepth: 3, share: 3 },
  { name: 'hosted, changed', subject: 'hosted', extras: ['change', 'give up'], fullDepth: 2, share: 1 },
  { name: 'hosted, clock', subject: 'hosted', extras: ['clock'], fullDepth: 1, share: 1 },
  { name: 'hosted, forgotten', subject: 'hosted', extras: ['forget'], fullDepth: 1, share: 1 },
  { name: 'hosted, restored', subject: 'hosted', extras: ['restore'], fullDepth: 1, share: 2 },
  { name: 'splits', subject: 'splits', extras: ['money', 'decide'], fullDepth: 2, share: 2 },
  { name: 'prompt', subject: 'prompt', extras: ['money', 'decide'], fullDepth: 3, share: 2 },
  { name: 'prompt, restored', subject: 'prompt', extras: ['restore'], fullDepth: 1, share: 1 },
  {
    name: 'prompt by id',
    subject: 'prompt',
    extras: ['money', 'restore'],
    fullDepth: 1,
    share: 2,
    manner: { isById: true },
  },
  { name: 'charge', subject: 'charge', extras: ['money', 'decide'], fullDepth: 3, share: 2 },
  {
    name: 'charge by id',
    subject: 'charge',
    extras: ['money'],
    fullDepth: 1,
    share: 1,
    manner: { isById: true },
  },
  {
    name: 'charge, a wrong 120',
    subject: 'charge',
    extras: [],
    fullDepth: 1,
    share: 1,
    manner: { isWrongOnce: true },
  },
  {
    name: 'charge, no decision arrives',
    subject: 'charge',
    extras: ['decide'],
    fullDepth: 1,
    share: 1,
    manner: { losesDecisions: true },
  },
  { name: 'payout', subject: 'payout', extras: ['money'], fullDepth: 3, share: 2 },
  {
    name: 'payout, years',
    subject: 'payout',
    extras: ['give up', 'sweep', 'forget'],
    fullDepth: 1,
    share: 1,
  },
  { name: 'payout, restored', subject: 'payout', extras: ['restore', 'rotate'], fullDepth: 1, share: 1 },
  { name: 'b2b', subject: 'b2b', extras: ['money'], fullDepth: 2, share: 1 },
  { name: 'airtime', subject: 'airtime', extras: ['money'], fullDepth: 3, share: 2 },
  {
    name: 'airtime, years',
    subject: 'airtime',
    extras: ['sweep', 'rotate', 'forget'],
    fullDepth: 1,
    share: 1,
  },
  { name: 'airtime, restored', subject: 'airtime', extras: ['restore'], fullDepth: 1, share: 1 },
]

const SHARE = { usual: 1_000, full: 35_000 }

export function explorations(isFull = Boolean(process.env['FULL'])): Exploration[] {
  const each = isFull ? SHARE.full : SHARE.usual
  return EXPLORATIONS.map(({ share, ...exploration }) => ({ ...exploration, transitions: share * each }))
}

let machine: Machine | null = null

export function run(exploration: Exploration): Promise<Report> {
  machine ??= new Machine()
  return explore(machine, exploration)
}
