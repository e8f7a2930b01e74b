// The present state of the sandbox, and the states that it can go back to. Everything from outside comes through here:
// a line in the journal, then its effect, one after another.

import { Hono } from 'hono'
import { z } from 'zod'

import { createApp, mayChange } from './app.ts'
import { nextTurn } from './clock/timeline.ts'
import { answer, notFound } from './control/answer.ts'
import { refuse } from './errors/error-response.ts'
import { notPossible } from './errors/failure.ts'
import { readBytes } from './http/request-body.ts'
import { createJournal, parseLine, StateError } from './journal/journal.ts'
import { createClock } from './journal/state-clock.ts'
import { createSimulation } from './world.ts'

import type { Timeline } from './clock/timeline.ts'
import type { Journal, JournalFile, Line, Received, Settings } from './journal/journal.ts'
import type { SimulationOptions } from './world.ts'

interface HistoryOptions {
  timeline: Timeline
  settings: Settings
  simulation: Omit<SimulationOptions, 'clock'>
  publicUrl: string | undefined
  /** Keeps the journal; the present continues from what it has. */
  file: JournalFile | undefined
}

// A larger number is probably in the wrong unit.
const MAX_ADVANCE_SECONDS = 366 * 86_400

/**
 * In virtual seconds per real second. Timeouts are measured in virtual time, so at a higher speed, requests would time
 * out before their responses arrive.
 */
const MAX_SPEED = 3_600

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })

// A snapshot keeps the lines before it in memory.
const MAX_SNAPSHOTS = 100
// After so many lines of a repeated journal, other work of the process goes on.
const LINES_AT_ONCE = 100

export function createHistory(options: HistoryOptions) {
  const { timeline, settings, file } = options
  const journal = createJournal(file)
  let present = file?.settings ? createState(timeline.now(), journal, options) : begin()

  function begin(): State {
    journal.write(['begin', timeline.now(), settings])
    const state = createState(timeline.now(), journal, options)
    state.clock.resume()
    return state
  }

  async function goTo(time: number, speed: number): Promise<void> {
    present.clock.close()
    const state = await repeat(journal, options)
    await timeline.set(time, speed)
    present = state
    present.clock.resume()
  }

  return {
    async fetch(request: Request, env: unknown): Promise<Response> {
      // What changes nothing needs no line in the journal.
      if (!mayChange(present.simulation, request)) {
        return journal.enter(() => {
          present.clock.set(timeline.now())
          return present.app.fetch(request, env)
        })
      }

      const { method, url, headers } = request
      const body = request.body && (await readBytes(request))
      const received = { method, url, headers: [...headers], body: body && body.toString('latin1') }
      return journal.enter(() => {
        present.clock.set(timeline.now())
        journal.write(['request', timeline.now(), received])
        const response = present.app.fetch(requestOf(received), env)
        // A request that waits for a later time lets others pass.
        journal.hold(Promise.race([response, nextTurn()]))
        return response
      })
    },
    /** The routes of `/_sandbox` that move the sandbox in time, and to another state. */
    routes: timeRoutes(timeline, journal)
      .post('/snapshots/:id/restore', (c) =>
        journal.enter(async () => {
          const id = c.req.param('id')
          const snapshot = journal.snapshots.get(id)
          if (!snapshot) {
            return notFound(`snapshot ${id}`)
          }

          journal.write(['restore', snapshot.time, id])
          const restored = goTo(snapshot.time, snapshot.speed)
          journal.hold(restored)
          await restored
          return Response.json(clockOf(timeline))
        }),
      )
      .post('/reset', () =>
        journal.enter(() => {
          present.clock.close()
          present = begin()
          return Response.json(clockOf(timeline))
        }),
      ),
    /**
     * Continues from the lines of the file, if it has any.
     *
     * @throws {StateError} If they are of a sandbox with other settings.
     */
    async continueFromFile(): Promise<void> {
      if (!file?.settings) {
        return
      }

      const stored = JSON.stringify(file.settings)
      const own = JSON.stringify(settings)
      if (stored !== own) {
        throw new StateError(`The state is of a sandbox with ${stored}, not with ${own}.`)
      }

      const { time, speed } = journal.end()
      // A clock of real speed has gone on while the process was not running.
      await goTo(speed === 1 ? Math.max(time, timeline.now()) : time, speed)
    },
  }
}

const clockOf = (timeline: Timeline) => ({
  now: new Date(timeline.now()).toISOString(),
  speed: timeline.speed(),
})

function timeRoutes(timeline: Timeline, journal: Journal): Hono {
  const record = (kind: 'clock' | 'snapshot') => {
    journal.write([kind, timeline.now(), timeline.speed()])
    return clockOf(timeline)
  }

  return new Hono()
    .get('/clock', () => Response.json(clockOf(timeline)))
    .post('/clock', (c) =>
      answer(c, Speed, ({ speed }) => {
        try {
          timeline.setSpeed(speed)
        } catch (error) {
          // A timeline without real time (`wall: null`) throws a RangeError, because it has no speed.
          if (!(error instanceof RangeError)) {
            throw error
          }
          return notPossible(error.message)
        }

        return record('clock')
      }),
    )
    .post('/clock/advance', (c) =>
      answer(c, Advance, async ({ seconds }) => {
        await timeline.advance(seconds * 1_000)
        return record('clock')
      }),
    )
    .post('/snapshots', () =>
      journal.enter(() => {
        if (journal.snapshots.size >= MAX_SNAPSHOTS) {
          return refuse(notPossible('There are too many snapshots; a reset removes them.'))
        }

        const clock = record('snapshot')
        return Response.json({ id: String(journal.snapshots.size), ...clock }, { status: 201 })
      }),
    )
}

type State = ReturnType<typeof createState>

/** Creates a state to which nothing has come from outside yet. */
function createState(start: number, journal: Journal, options: HistoryOptions) {
  const clock = createClock(options.timeline, journal, start)
  const simulation = createSimulation({ ...options.simulation, clock })
  return { clock, simulation, app: createApp(simulation, options.publicUrl) }
}

/** Resolves with the state at the end of the journal: repeats the effect of each line. */
async function repeat(journal: Journal, options: HistoryOptions): Promise<State> {
  const [first = '', ...lines] = journal.lines()
  const state = createState(parseLine(first)[1], journal, options)
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) {
      await nextTurn()
    }

    await apply(state, parseLine(line))
  }

  return state
}

/** Repeats the effect of a line. The clock of a state has the time of the lines, so a line about the clock has none. */
async function apply({ clock, app }: State, [kind, time, content, result]: Line): Promise<void> {
  clock.set(time)
  if (kind === 'request') {
    await Promise.race([app.fetch(requestOf(content)), nextTurn()])
  }
  if (kind === 'task') {
    await clock.runFirst()
  }
  if (kind === 'result') {
    clock.conclude(content, result)
  }
}

function requestOf({ method, url, headers, body }: Received): Request {
  return new Request(url, { method, headers, body: body === null ? null : Buffer.from(body, 'latin1') })
}
