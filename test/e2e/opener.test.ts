import { expect, inject, test } from 'vitest'
import { openBrowser } from './browser/open.ts'
import { openDemo, openAll } from './demo.ts'
import { visit } from './shopper.ts'
import type { Page } from './browser.ts'
import type { HostedPage, Visit } from './shopper.ts'

const [demo, browser] = await openAll(openDemo(), openBrowser(inject('engine')))

type Shopper = Visit<Page>

test.each<[string, (shopper: Shopper) => Promise<HostedPage<Page>>]>([
  ['in a pop-up', (shopper) => shopper.press()],
  [
    'opened by the link, after the pop-up was blocked',
    async (shopper) => {
      await shopper.page.evaluate('void (window.open = () => null)')
      await shopper.tag.getByRole('button').first().click()
      return shopper.follow()
    },
  ],
])('a hosted page %s cannot navigate the shop, and closes itself', async (_, open) => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  await shopper.page.evaluate('void (window.stays = true)')
  const hosted = await open(shopper)
  const attack = `window.opener ? (window.opener.location.href = '${demo.bff}/docs') : 'no opener'`
  expect(await hosted.page.evaluate(attack)).toBe('no opener')
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  expect(await shopper.page.evaluate('window.stays')).toBe(true)
  expect(await shopper.page.url()).toContain(`${demo.shop}/?`)
  await shopper.leave()
})
