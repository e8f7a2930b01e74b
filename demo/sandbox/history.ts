import { Hono } from 'hono'
import { z } from 'zod'
import { createApp, mayChange } from './app.ts'
import { answer, notFound } from './control/routes.ts'
import { readBytes } from './wire/body.ts'
import { notPossible, refuse } from './wire/failure.ts'
import { createClock } from './timeline/clock.ts'
import { createJournal, parseLine, StateError } from './timeline/journal.ts'
import { nextTurn } from './timeline/timeline.ts'
import { createSimulation } from './world.ts'
import type { Journal, JournalFile, Line, Received, Settings } from './timeline/journal.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { SimulationOptions } from './world.ts'

export interface HistoryOptions {
  timeline: Timeline
  settings: Settings
  simulation: Omit<SimulationOptions, 'clock'>
  publicUrl: string | undefined
  /** Keeps the journal; the present continues from what it has. */
  file: JournalFile | undefined
}

// 366 days. A larger number is probably in the wrong unit.
const MAX_ADVANCE_SECONDS = 366 * 24 * 3_600

/**
 * The maximum speed, in virtual seconds per real second. Timeouts are measured in virtual time. At a higher speed,
 * requests would therefore time out before their responses arrive.
 */
const MAX_SPEED = 3_600

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })

const MOST_SNAPSHOTS = 100
// A longer replay lets other work of the process go on.
const LINES_AT_ONCE = 100

/**
 * The present state of the sandbox, and the states that it can go back to. Everything from outside comes through here: a
 * line in the journal, then its effect, one after another.
 */
export function createHistory(options: HistoryOptions) {
  const { timeline, settings, file } = options
  const journal = createJournal(file)
  let present = file?.settings ? open(timeline.now(), journal, options) : begin()

  function begin(): State {
    journal.write(['begin', timeline.now(), settings])
    const state = open(timeline.now(), journal, options)
    state.clock.resume()
    return state
  }

  async function goTo(time: number, speed: number): Promise<void> {
    present.clock.close()
    const state = await replay(journal, options)
    await timeline.set(time, speed)
    present = state
    present.clock.resume()
  }

  return {
    async fetch(request: Request, env: unknown): Promise<Response> {
      // What changes nothing is no input, and is not copied.
      if (!mayChange(present.simulation, request))
        return journal.enter(() => {
          present.clock.set(timeline.now())
          return present.app.fetch(request, env)
        })
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
    /** The routes that move the sandbox in time, and to another state. */
    routes: timeRoutes(timeline, journal)
      .post('/snapshots/:id/restore', (c) =>
        journal.enter(async () => {
          const id = c.req.param('id')
          const snapshot = journal.snapshots.get(id)
          if (!snapshot) return notFound(`snapshot ${id}`)
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
     * Continues from the lines of the file.
     *
     * @throws {StateError} If they are of a sandbox with other settings.
     */
    async continueFromFile(): Promise<void> {
      if (!file?.settings) return
      const [was, is] = [file.settings, settings].map((each) => JSON.stringify(each))
      if (was !== is) throw new StateError(`The state is of a sandbox with ${was}, not with ${is}.`)
      const { time, speed } = journal.end()
      // A clock that runs like the real one has gone on.
      await goTo(speed === 1 ? Math.max(time, timeline.now()) : time, speed)
    },
  }
}

const clockOf = (timeline: Timeline) => ({
  now: new Date(timeline.now()).toISOString(),
  speed: timeline.speed(),
})

function timeRoutes(timeline: Timeline, journal: Journal): Hono {
  const write = (kind: 'clock' | 'snapshot') => journal.write([kind, timeline.now(), timeline.speed()])
  const written = () => {
    write('clock')
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
          if (!(error instanceof RangeError)) throw error
          return notPossible(error.message)
        }
        return written()
      }),
    )
    .post('/clock/advance', (c) =>
      answer(c, Advance, async ({ seconds }) => {
        await timeline.advance(seconds * 1_000)
        return written()
      }),
    )
    .post('/snapshots', () =>
      journal.enter(() => {
        if (journal.snapshots.size >= MOST_SNAPSHOTS)
          return refuse(notPossible('There are too many snapshots; a reset removes them.'))
        write('snapshot')
        return Response.json({ id: String(journal.snapshots.size), ...clockOf(timeline) }, { status: 201 })
      }),
    )
}

type State = ReturnType<typeof open>

/** Creates a state without anything from outside. */
function open(start: number, journal: Journal, { timeline, simulation: given, publicUrl }: HistoryOptions) {
  const clock = createClock(timeline, journal, start)
  const simulation = createSimulation({ ...given, clock })
  return { clock, simulation, app: createApp(simulation, publicUrl) }
}

/** Resolves with the state at the end of the journal. */
async function replay(journal: Journal, options: HistoryOptions): Promise<State> {
  const [first = '', ...lines] = journal.lines()
  const state = open(parseLine(first)[1], journal, options)
  for (const [index, line] of lines.entries()) {
    if (index % LINES_AT_ONCE === 0) await nextTurn()
    await apply(state, parseLine(line))
  }
  return state
}

async function apply({ clock, app }: State, [kind, time, what, result]: Line): Promise<void> {
  clock.set(time)
  if (kind === 'request') await Promise.race([app.fetch(requestOf(what)), nextTurn()])
  if (kind === 'task') await clock.runFirst()
  if (kind === 'result') clock.conclude(what, result)
}

function requestOf({ method, url, headers, body }: Received): Request {
  return new Request(url, { method, headers, body: body === null ? null : Buffer.from(body, 'latin1') })
}
