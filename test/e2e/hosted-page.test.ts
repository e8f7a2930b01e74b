import { expect } from 'vitest'

import { PATIENCE, visit } from './shopper.ts'
import { test, theBrowser, theDemo } from './worker.ts'

const [demo, browser] = await Promise.all([theDemo(), theBrowser()])

const HOLD = `void (sent = 0, send = fetch, fetch = (...request) => new Promise((answer) => {
  sent += 1
  release = () => answer(send(...request))
}))`
const BUTTON = `(() => {
  const { textContent, ariaDisabled } = document.querySelector('main .button')
  return [textContent, ariaDisabled, sent]
})()`
/** What has the focus, and what the live region says. */
const HEARD = `(({ id, textContent }) => [textContent || id, document.querySelector('[role=status]').textContent])(
  document.activeElement,
)`
const LEFT = `document.querySelector('main').getBoundingClientRect().left`

test('Pay answers a press at once, sends it once, and moves nothing sideways', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const hosted = await shopper.press()
  const { page } = hosted
  const left = await page.evaluate(LEFT)
  await page.evaluate(HOLD)
  await page.getByRole('button', { name: /^Pay KES/ }).click()
  expect(await page.evaluate(BUTTON)).toEqual(['Sending to your phone…', 'true', 1])
  await page.evaluate(`document.querySelector('main .button').click()`)
  expect(await page.evaluate(BUTTON)).toEqual(['Sending to your phone…', 'true', 1])
  await page.evaluate('void (fetch = send, release())')
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'), PATIENCE)
    .toBe('Check your phone')
  expect(await page.evaluate(LEFT)).toBe(left)
  await page.getByRole('button', { name: /^Enter PIN and approve$/ }).click()
  await hosted.back()
  await shopper.sees('paid', /1,500/, { attempt: 1 })
  await shopper.leave()
})

test('a screen reader hears the whole reason of a failure, and of a refused number only its error', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const { page } = await shopper.press()
  const heard = () => page.evaluate(HEARD)

  const ask = async (number: string) => {
    await page.locator('#msisdn').fill(number)
    await page.getByRole('button', { name: /^Pay KES/ }).click()
  }

  await ask('0700009001')
  await expect
    .poll(heard, PATIENCE)
    .toEqual([
      'Not enough money',
      'Add money to your account, or pay from another one. If your SMS says that money left, do not pay again.',
    ])
  // Safari gives a button that is pressed no focus.
  await page.evaluate(`addEventListener('click', () => document.activeElement.blur(), true)`)
  await ask('07000')
  await expect.poll(heard, PATIENCE).toEqual(['msisdn', ''])
  await shopper.leave(/422/)
})

test('without a connection the press is taken back, and says so', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const { page } = await shopper.press()
  await page.evaluate(`void (sent = 0, fetch = () => Promise.reject(new TypeError()))`)
  await page.getByRole('button', { name: /^Pay KES/ }).click()
  await expect.poll(() => page.evaluate(BUTTON), PATIENCE).toEqual(['Pay KES\u00a01,500', null, 0])
  expect(await page.evaluate(`document.querySelector('.trouble').textContent`)).toMatch(
    /^You seem to be offline/,
  )
  await shopper.leave()
})
