import { expect, test } from 'vitest'

import { explorations } from './explorations.ts'
import { explore, successorsOf } from './explore.ts'
import { Machine } from './machine.ts'
import { described } from './reduction.ts'

import type { Exploration } from './explore.ts'
import type { State } from './state.ts'

/** One pair of merged states in so many is compared. */
const EVERY = 20
const TRANSITIONS = process.env['FULL'] ? 5_000 : 500
const COMPARED = [
  'hosted',
  'splits',
  'prompt',
  'charge',
  'payout',
  'airtime',
  'a wrong clock',
  'a rotated secret',
  'a charge that is paid again',
  'a restored decision',
  'a backend that is away',
]

test.each(
  explorations(false)
    .filter(({ name }) => COMPARED.includes(name))
    .map((exploration) => [exploration.name, { ...exploration, transitions: TRANSITIONS }] as const),
)('merged states of %s give equal answers', async (_, exploration) => {
  const machine = new Machine()
  const pairs: { first: State; other: State; depth: number }[] = []
  let merges = 0
  await explore(machine, exploration, (first, other, depth) => {
    const isOther = JSON.stringify(first) !== JSON.stringify(other)
    if (isOther && merges++ % EVERY === 0) {
      pairs.push({ first, other, depth })
    }
  })
  expect(pairs).not.toEqual([])
  for (const { first, other, depth } of pairs) {
    expect(await answers(machine, exploration, other, depth)).toEqual(
      await answers(machine, exploration, first, depth),
    )
  }
})

async function answers(machine: Machine, exploration: Exploration, state: State, depth: number) {
  const all: string[] = []
  for await (const reached of successorsOf(machine, exploration, state, depth)) {
    all.push(`${reached.line}\n${described(reached.state)}`)
  }

  return all
}
