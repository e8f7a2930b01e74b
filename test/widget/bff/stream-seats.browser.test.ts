import { expect, onTestFinished, test } from 'vitest'

import { takeSeat } from '../../../widget/bff/stream-seats.ts'

function frame(attributes: Record<string, string> = {}): Window {
  const element = document.createElement('iframe')
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value)
  }

  document.body.append(element)
  onTestFinished(() => element.remove())
  return element.contentWindow!
}

test('two frames of an origin have the seats of all, and a seat that is left is free', async () => {
  const first = await takeSeat(frame())
  const second = await takeSeat(frame())
  expect(await takeSeat(window)).toBeNull()
  second?.()
  await expect.poll(() => takeSeat(frame())).not.toBeNull()
  first?.()
})

test('a frame that is removed leaves its seat', async () => {
  const seats = [frame(), frame()]
  for (const each of seats) {
    await takeSeat(each)
  }

  seats[0]!.frameElement!.remove()
  await expect.poll(() => takeSeat(window)).not.toBeNull()
})

test('a browser without locks has none', async () => {
  expect(await takeSeat({ navigator: {} } as Window)).toBeNull()
})
