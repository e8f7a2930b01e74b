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
