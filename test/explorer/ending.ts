/** What becomes of a state if nobody acts any more: the worker looks when rows are due, and all answers are honest. */

import { isOrder, nextEvent } from './alphabet.ts'
import { firstChoice } from './choice.ts'
import { breachesAtEnd, breachesOfPress, breachesOfResolution } from './invariants.ts'
import { isUnacknowledged, standingOf } from './machine.ts'
import { keyOf } from './reduction.ts'
import { DAY, HOUR, MINUTE, SECOND, SESSION_MS } from './truth.ts'

import type { Manner } from './gateway.ts'
import type { Breach } from './invariants.ts'
import type { Given, Machine, Subject, Verbs } from './machine.ts'
import type { State } from './state.ts'

/**
 * The times at which the worker looks, after the last letter: no answer lags any more and the session is over with its
 * grace, no money can move any more, the last deadline has passed, and the merchant has accepted what was told then. In
 * between, it would learn nothing else.
 */
const LOOKS_MS = [SESSION_MS + 3 * MINUTE, DAY + 2 * HOUR, 32 * DAY, 33 * DAY]
/** The look after which an order is pressed: its session is over. Without an answer, a session may last a day. */
const PRESSED_AFTER = { known: 1, unknown: 2 }

/** What was not acknowledged is given up after three queries. */
const ROUNDS = 3

const correctClock = async (verbs: Verbs) => verbs.correctClock()

interface Ending {
  breaches: Breach[]
  transitions: number
}

/** Looks for the ends of states. Remembers the states whose ends are known. */
export class Endings {
  readonly #machine: Machine
  readonly #subject: Subject
  readonly #manner: Manner
  readonly #known = new Set<string>()

  constructor(machine: Machine, subject: Subject, manner: Manner) {
    this.#machine = machine
    this.#subject = subject
    this.#manner = manner
  }

  async of(state: State): Promise<Ending> {
    const passed: string[] = []
    const breaches: Breach[] = []
    let transitions = 0
    let current = state.ahead === 0 ? state : await this.#run({ ...state, ahead: 0 }, correctClock)
    for (const [index, lookMs] of LOOKS_MS.entries()) {
      const key = `${index} ${keyOf(current, index === 0 ? 1 : HOUR)}`
      if (this.#known.has(key)) {
        return { breaches, transitions }
      }

      passed.push(key)
      current = { ...current, now: state.now + lookMs }
      const looked = await this.#look(current)
      current = looked.state
      transitions += looked.transitions
      const pressedAfter = state.troubles.length === 0 ? PRESSED_AFTER.known : PRESSED_AFTER.unknown
      if (index + 1 !== pressedAfter || !isOrder(this.#subject) || current.rows.length === 0) {
        continue
      }

      breaches.push(...(await this.#press(current)))
      transitions += 1
    }

    breaches.push(...breachesAtEnd(current, this.#subject))
    for (const row of current.rows.filter((each) => standingOf(each).isForPerson)) {
      current = await this.#run(current, (verbs) => verbs.resolve(row))
      transitions += 1
    }

    breaches.push(...breachesOfResolution(current, this.#subject))
    if (breaches.length === 0) {
      for (const key of passed) {
        this.#known.add(key)
      }
    }
    return { breaches, transitions }
  }

  /** The worker looks at what is due, a minute each, and the backend accepts every event. */
  async #look(state: State): Promise<{ state: State; transitions: number }> {
    let current = state
    let transitions = 0
    for (let round = 0; round < ROUNDS; round++) {
      const due = current.rows.filter((row) => row.due_at !== null && row.due_at <= current.now)
      const looked = round === 0 ? due : due.filter(isUnacknowledged)
      if (looked.length === 0) {
        break
      }

      for (const { id } of looked) {
        current = await this.#run(current, (verbs) => verbs.work(id))
      }

      current = { ...current, now: current.now + MINUTE }
      transitions += looked.length
    }

    for (let event = nextEvent(current); event; event = nextEvent(current)) {
      const accepted = event
      current = await this.#run(current, (verbs) => verbs.accept(accepted))
      transitions += 1
    }

    return { state: current, transitions }
  }

  /**
   * The shopper presses, and once more: the first press may have found what has ended meanwhile, or what a restore had
   * lost.
   */
  async #press(state: State): Promise<Breach[]> {
    let breaches: Breach[] = []
    let current = state
    const pauses = state.troubles.length === 0 ? [SECOND, MINUTE] : [SECOND, DAY + 2 * HOUR]
    for (const pauseMs of pauses) {
      let given: Given | null = null
      current = await this.#run({ ...current, now: current.now + pauseMs }, async (verbs) => {
        given = await verbs.press()
      })
      breaches = breachesOfPress(current, given)
      if (breaches.length === 0) {
        break
      }
    }

    return breaches
  }

  #run(state: State, work: Parameters<Machine['step']>[3]): Promise<State> {
    const honest: Manner = { ...this.#manner, breadth: 'first' }
    return this.#machine.step(state, this.#subject, { chooser: firstChoice(), manner: honest }, work)
  }
}
