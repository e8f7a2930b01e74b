import { expect, test } from 'vitest'

import { createTimeline } from '../../demo/sandbox/index.ts'

const MINUTE = 60_000

/** A task that ends when it is told, and who is at work. */
function openWorkplace() {
  const log: string[] = []
  const waiting: (() => void)[] = []
  let most = 0

  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      most = Math.max(most, waiting.length)
    })
    log.push(`${name} ends`)
  }

  const endAll = async () => {
    for (const end of waiting.splice(0)) {
      end()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }

  return { log, work, endAll, most: () => most }
}

test('what is due at one moment runs beside each other, at most sixteen at once, in the order of its making', async () => {
  const { log, work, endAll, most } = openWorkplace()
  const timeline = createTimeline({ wall: null, settle: endAll })
  const names = Array.from({ length: 40 }, (_, index) => `task ${index}`)
  for (const name of names) {
    timeline.after(MINUTE, work(name))
  }

  await timeline.advance(2 * MINUTE)

  const begun = log.filter((line) => line.endsWith('begins'))
  expect(begun).toEqual(names.map((name) => `${name} begins`))
  expect(most()).toBe(16)
})

test('the clock passes a moment only when all that was due at it has ended', async () => {
  const { log, work, endAll } = openWorkplace()
  const timeline = createTimeline({ wall: null, settle: endAll })
  for (const name of ['first', 'second']) {
    timeline.after(MINUTE, work(name))
  }
  timeline.after(MINUTE + 1, work('third'))

  await timeline.advance(2 * MINUTE)

  expect(log).toEqual([
    'first begins',
    'second begins',
    'first ends',
    'second ends',
    'third begins',
    'third ends',
  ])
})
