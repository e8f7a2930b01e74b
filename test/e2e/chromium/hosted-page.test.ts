import { expect, test } from 'vitest'
import { openChromium } from '../browser/open.ts'
import { openAll, openDemo } from '../demo.ts'

const [demo, browser] = await openAll(openDemo(), openChromium())

async function openWaiting() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const begun = await demo.begin(`demo-1500-${crypto.randomUUID()}`)
  await page.clock.install()
  await page.goto(begun.redirect_url ?? '')
  await page.getByRole('button', { name: 'Pay KES 1,500' }).click()
  await page.getByRole('button', { name: 'Ignore the prompt' }).click()
  await page.getByText('It has not been answered yet.').waitFor()
  await page.evaluate('globalThis.isSamePage = true')
  return { context, page }
}

test('a phone without a connection keeps the waiting page, which then shows the result in place', async () => {
  const { context, page } = await openWaiting()
  await context.setOffline(true)
  await page.clock.fastForward('02:00')
  await page.getByText('You are offline. Your payment is not lost; we keep looking.').waitFor()
  await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
  await demo.later(2)
  await context.setOffline(false)
  await page.getByRole('main').getByText('The prompt timed out.').waitFor()
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  expect(await page.getByRole('status').allTextContents()).toContainEqual(
    'The payment did not go through. The prompt timed out. You can try again.',
  )
  expect(await page.locator('.trouble').textContent()).toBe('')
  await page.getByRole('button', { name: 'Pay KES 1,500' }).click()
  await page.getByText('On the customer’s phone').waitFor()
  await context.close()
})

test('a page that changes in place moves the focus from a link that is gone to what is new', async () => {
  const { context, page } = await openWaiting()
  await page.getByRole('link', { name: 'Check now' }).focus()
  await demo.later(2)
  await page.clock.fastForward('02:00')
  await page.getByRole('main').getByText('The prompt timed out.').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toContain(
    'The payment did not go through',
  )
  expect((await page.getByRole('status').allTextContents()).join('')).toBe(
    'The prompt timed out. You can try again.',
  )
  await context.close()
})

test.each([
  ['when they begin', 0, '28:30'],
  ['soon after a page that was opened later', 29, '00:02'],
])('a screen reader is told once that two minutes are left, %s', async (_, minutes, time) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const begun = await demo.begin(`demo-1500-${crypto.randomUUID()}`)
  await demo.later(minutes)
  await page.clock.install()
  await page.goto(begun.redirect_url ?? '')
  expect((await page.getByRole('status').allTextContents()).join('')).toBe('')
  await page.clock.fastForward(time)
  await page.getByText('Less than two minutes left to pay.').waitFor({ state: 'attached' })
  await context.close()
})
