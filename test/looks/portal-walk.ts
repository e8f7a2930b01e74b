// A browser that visits every page of the portal of a sandbox with transactions.

import { listen } from '../../demo/sandbox/http/listen.ts'
import { PAGES } from '../../demo/sandbox/portal/routes.ts'
import { openMerchant } from '../sandbox/merchant.ts'
import { openTrade } from '../sandbox/portal-trade.ts'

import type { BrowserContext, Page } from 'playwright'

const PASSWORD = 'sandbox-password'

/** Opens two sandboxes on free ports: one with transactions of every kind, and one without any. */
export async function openPortals() {
  const trade = await openTrade()
  const empty = await openMerchant()
  const [busy, idle] = await Promise.all([trade, empty].map(({ sandbox }) => listen(sandbox.app, 0)))
  if (!busy || !idle) {
    throw new Error('A sandbox does not listen.')
  }

  const [delivery] = await trade.deliveries('WAGES-2')
  return {
    trade,
    url: busy.url,
    emptyUrl: idle.url,
    paths: PAGES.map(({ path }) => addressed(path, delivery.id)),
    close: () => Promise.all([busy.close(), idle.close()]),
  }
}

/** For each parameter of a path, a value that names something in the sandbox with transactions. */
const VALUES: Readonly<Record<string, string>> = {
  merchant_transaction_id: 'order-jammed',
  external_reference: 'ORDER-7731',
  payout_reference: 'WAGES-2',
  reference: 'AIRTIME-1',
  phone_number: '254711119008',
  account_number: 'ACC-001',
  key: 'sandbox-key',
  email: 'viewer@sandbox.test',
  code: 'CHECKOUT-KES',
  service_code: 'CHECKOUT-KES',
}

function addressed(path: string, id: string): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = name === 'id' ? id : VALUES[name]
    if (value === undefined) {
      throw new Error(`${path} has the unknown parameter ${name}.`)
    }
    return encodeURIComponent(value)
  })
  return filled === '/' ? '' : filled
}

export async function signIn(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/portal/sign-in`)
  await page.getByLabel('E-mail address').fill('owner@sandbox.test')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${url}/portal`)
  return page
}
