/** Explores, breadth first, every story of a subject, and finds the shortest ones that break an invariant. */

import type { Letter, Part } from './alphabet.ts'
import type { Breadth } from './answers.ts'
import type { Manner } from './gateway.ts'
import type { Breach } from './invariants.ts'
import type { Machine, Subject } from './machine.ts'
import type { State } from './state.ts'
import { lettersOf } from './alphabet.ts'
import { everyChoice } from './choice.ts'
import { HONEST } from './gateway.ts'
import { Endings } from './ending.ts'
import { breachesOf } from './invariants.ts'
import { keyOf } from './reduction.ts'
import { BEGINNING } from './state.ts'

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

export async function explore(machine: Machine, exploration: Exploration): Promise<Report> {
  const { name, subject, fullDepth, beyond, attempts = 5 } = exploration
  const parts = new Set(exploration.parts)
  const manner: Manner = { ...HONEST, ...exploration.manner }
  const endings = new Endings(machine, subject, manner)
  const seen = new Set([keyOf(BEGINNING)])
  const found = new Map<string, Violation>()
  let layer: Node[] = [{ state: BEGINNING, depth: 0, line: '', parent: null }]
  let transitions = 0
  let depth = 0
  const isSpent = () => transitions >= exploration.transitions

  while (layer.length > 0 && !isSpent()) {
    const next: Node[] = []
    for (const node of layer) {
      if (isSpent()) break
      const breadth: Breadth = node.depth < fullDepth ? 'all' : beyond
      for (const letter of lettersOf(node.state, subject, parts, attempts))
        await play(node, letter, { ...manner, breadth }, next)
    }
    if (!isSpent()) depth += 1
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

  /** Plays a letter with every answer that it can get. */
  async function play(node: Node, { name: letter, world, server }: Letter, how: Manner, next: Node[]) {
    const before = world ? world(node.state) : node.state
    await everyChoice(
      (chooser) =>
        server ? machine.step(before, subject, { chooser, manner: how }, server) : Promise.resolve(before),
      async (after, answers) => {
        transitions += 1
        const line = answers.length === 0 ? letter : `${letter}: ${answers.join('; ')}`
        const reached: Node = { state: after, depth: node.depth + 1, line, parent: node }
        const breaches = breachesOf(node.state, after, subject)
        for (const breach of breaches) keep(breach, reached)
        const key = keyOf(after)
        // What follows a breach says nothing new.
        if (breaches.length > 0 || seen.has(key)) return !isSpent()
        seen.add(key)
        next.push(reached)
        const ending = await endings.of(after)
        transitions += ending.transitions
        for (const breach of ending.breaches) keep(breach, reached)
        return !isSpent()
      },
    )
  }

  function keep(breach: Breach, node: Node): void {
    const fact = `${breach.invariant}: ${breach.what}`
    if (!found.has(fact))
      found.set(fact, { exploration: name, ...breach, foundAfter: transitions, story: storyOf(node) })
  }
}

function storyOf(node: Node): string[] {
  const lines: string[] = []
  for (let each: Node | null = node; each?.parent; each = each.parent) lines.unshift(each.line)
  return lines
}
