/** Explores, breadth first, every story of a subject, and finds the shortest ones that break an invariant. */

import { lettersOf } from './alphabet.ts'
import { everyChoice } from './choice.ts'
import { Endings } from './ending.ts'
import { HONEST } from './gateway.ts'
import { breachesOf } from './invariants.ts'
import { keyOf } from './reduction.ts'
import { BEGINNING } from './state.ts'

import type { Part } from './alphabet.ts'
import type { Breadth } from './answers.ts'
import type { Chooser } from './choice.ts'
import type { Manner } from './gateway.ts'
import type { Breach } from './invariants.ts'
import type { Machine, Subject } from './machine.ts'
import type { State } from './state.ts'

export interface Exploration {
  name: string
  subject: Subject
  parts: readonly Part[]
  /** The number of letters up to which every answer is tried. */
  fullDepth: number
  /** The number of attempts of an order after which nobody presses any more. Default: 5. */
  attempts?: number
  /** The answers that are tried beyond it. */
  beyond: Breadth
  /** The exploration ends after this number of transitions, so that its length does not depend on the machine. */
  transitions: number
  manner?: Partial<Omit<Manner, 'breadth'>>
}

export interface Violation extends Breach {
  exploration: string
  /** The number of transitions after which it was found. */
  foundAfter: number
  /** The letters that lead to it, each with what it was answered. */
  story: readonly string[]
}

export interface Report {
  exploration: string
  states: number
  transitions: number
  /** The longest stories, and the depth up to which there are all. */
  depth: number
  isComplete: boolean
  violations: Violation[]
}

interface Node {
  state: State
  depth: number
  line: string
  parent: Node | null
}

/** A state, and the line of a story that leads to it. */
interface Reached {
  state: State
  line: string
}

/**
 * Explores an exploration.
 *
 * @param onMerge Called with two states of one key: the one that was reached first, and another one.
 */
export async function explore(
  machine: Machine,
  exploration: Exploration,
  onMerge?: (first: State, other: State, depth: number) => void,
): Promise<Report> {
  const { name, subject } = exploration
  const endings = new Endings(machine, subject, { ...HONEST, ...exploration.manner })
  const seen = new Map<string, State | null>([[keyOf(BEGINNING), BEGINNING]])
  const found = new Map<string, Violation>()
  let layer: Node[] = [{ state: BEGINNING, depth: 0, line: '', parent: null }]
  let transitions = 0
  let depth = 0
  const isSpent = () => transitions >= exploration.transitions

  while (layer.length > 0 && !isSpent()) {
    const next: Node[] = []
    for (const node of layer) {
      for await (const reached of successorsOf(machine, exploration, node.state, node.depth)) {
        await visit({ ...reached, depth: node.depth + 1, parent: node }, node.state, next)
        if (isSpent()) {
          break
        }
      }

      if (isSpent()) {
        break
      }
    }

    if (!isSpent()) {
      depth += 1
    }

    layer = next
  }

  return {
    exploration: name,
    states: seen.size,
    transitions,
    depth,
    isComplete: layer.length === 0,
    violations: [...found.values()],
  }

  async function visit(node: Node, before: State, next: Node[]): Promise<void> {
    transitions += 1
    const { state } = node
    const breaches = breachesOf(before, state, subject)
    for (const breach of breaches) {
      keep(breach, node)
    }

    // What follows a breach says nothing new.
    if (breaches.length > 0) {
      return
    }

    const key = keyOf(state)
    const first = seen.get(key)
    if (first) {
      onMerge?.(first, state, node.depth)
    }
    if (first !== undefined) {
      return
    }

    // Keys are enough to recognize a state. Whole states are only kept to be compared.
    seen.set(key, onMerge ? state : null)
    next.push(node)
    const ending = await endings.of(state)
    transitions += ending.transitions
    for (const breach of ending.breaches) {
      keep(breach, node)
    }
  }

  function keep(breach: Breach, node: Node): void {
    const fact = `${breach.invariant}: ${breach.what}`
    if (!found.has(fact)) {
      found.set(fact, { exploration: name, ...breach, foundAfter: transitions, story: storyOf(node) })
    }
  }
}

/** Returns what each letter makes of a state, with every answer that it can get. */
export async function* successorsOf(
  machine: Machine,
  { subject, parts, attempts = 5, fullDepth, beyond, manner }: Exploration,
  state: State,
  depth: number,
): AsyncGenerator<Reached> {
  const how: Manner = { ...HONEST, ...manner, breadth: depth < fullDepth ? 'all' : beyond }
  for (const { name, world, server } of lettersOf(state, subject, new Set(parts), attempts)) {
    const before = world ? world(state) : state
    const run = (chooser: Chooser) =>
      server ? machine.step(before, subject, { chooser, manner: how }, server) : Promise.resolve(before)
    for await (const { result, names } of everyChoice(run)) {
      yield { state: result, line: names.length === 0 ? name : `${name}: ${names.join('; ')}` }
    }
  }
}

function storyOf(node: Node): string[] {
  const lines: string[] = []
  for (let each: Node | null = node; each?.parent; each = each.parent) {
    lines.unshift(each.line)
  }

  return lines
}
