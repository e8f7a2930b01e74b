import { Hono } from 'hono'
import { z } from 'zod'
import { notPossible, refuse } from '../wire/failure.ts'
import { answer, notFound } from './routes.ts'
import type { Timeline } from '../timeline/timeline.ts'

// 366 days. A larger number is probably in the wrong unit.
const MAX_ADVANCE_SECONDS = 366 * 24 * 3_600

/**
 * The maximum speed, in virtual seconds per real second. Timeouts are measured in virtual time. At a higher speed,
 * requests would therefore time out before their responses arrive.
 */
const MAX_SPEED = 3_600

const Advance = z.object({ seconds: z.number().min(0).max(MAX_ADVANCE_SECONDS) })
const Speed = z.object({ speed: z.number().min(0).max(MAX_SPEED) })

interface History {
  timeline: Timeline
  keepClock(): void
  takeSnapshot(): Promise<string | null>
  restore(id: string): Promise<boolean>
  reset(): Promise<void>
}

/** Serves what moves the sandbox in time, and to another state. */
export function timeRoutes(history: History): Hono {
  const { timeline } = history
  const routes = new Hono()
  const clock = () => ({ now: new Date(timeline.now()).toISOString(), speed: timeline.speed() })

  routes.get('/clock', () => Response.json(clock()))
  routes.post('/clock', (c) =>
    answer(c, Speed, ({ speed }) => {
      try {
        timeline.setSpeed(speed)
      } catch (error) {
        // A timeline without real time (`wall: null`) throws a RangeError, because it has no speed.
        if (!(error instanceof RangeError)) throw error
        return { failure: notPossible(error.message) }
      }
      history.keepClock()
      return { value: clock() }
    }),
  )
  routes.post('/clock/advance', (c) =>
    answer(c, Advance, async ({ seconds }) => {
      await timeline.advance(seconds * 1_000)
      history.keepClock()
      return { value: clock() }
    }),
  )

  routes.post('/snapshots', async () => {
    const id = await history.takeSnapshot()
    return id === null
      ? refuse(notPossible('There are too many snapshots; a reset removes them.'))
      : Response.json({ id, ...clock() }, { status: 201 })
  })
  routes.post('/snapshots/:id/restore', async (c) => {
    const id = c.req.param('id')
    return (await history.restore(id)) ? Response.json(clock()) : notFound(`snapshot ${id}`)
  })
  routes.post('/reset', async () => {
    await history.reset()
    return Response.json(clock())
  })
  return routes
}
