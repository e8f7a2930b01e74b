import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { run } from '../create/shop.ts'
import type { Running } from '../create/shop.ts'
import { freePort } from '../support/free-port.ts'
import type { createCliWorld } from '../support/cli-world.ts'

/** Copies an example project into a new folder below `folder`. */
export function copyProject(folder: string, name: string): string {
  const project = mkdtempSync(join(folder, `${name}-`))
  cpSync(`server/examples/frameworks/${name}`, project, { recursive: true })
  return project
}

export interface Shop extends Running {
  url: string
}

/** Runs a project with the variables of the sandbox in `cli`, and waits until its page is answered. */
export async function openShop(
  project: string,
  cli: Awaited<ReturnType<typeof createCliWorld>>,
  command = 'npm start',
  path = process.env.PATH ?? '',
): Promise<Shop> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: path,
    PORT: String(port),
    HOST: '127.0.0.1',
    ORIGIN: url,
    PUBLIC_URL: `${url}/pay`,
    ALLOWED_ORIGINS: url,
    DEFAULT_COUNTRY: 'KE',
  }
  const shop = run(project, command, cli.fresh(env))
  try {
    await shop.isUp(url)
    await shop.isUp(`${url}/pay/health/live`)
  } catch (error) {
    await shop.stop()
    throw error
  }
  return { ...shop, url }
}

/** Pays on the shop's page as a shopper, and waits for its thanks. Returns what the browser complained about. */
export async function payOnPage(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext()
  const complaints: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (['error', 'warning'].includes(message.type()) && !isIcon) complaints.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Order', exact: true }).click()
  await press(page)
  await page.getByText('Thank you for your order.').waitFor()
  await context.close()
  return complaints.filter((text) => !text.startsWith('Lit is in dev mode'))
}

async function press(page: Page): Promise<void> {
  await page.locator('gateway-checkout[order]').getByRole('button').click()
  await page.getByLabel('Full name').fill('Asha Mwangi')
  await page.getByLabel('E-mail').fill('asha@example.com')
  await page.getByLabel('Mobile number').fill('0700009000')
  const popup = page.waitForEvent('popup')
  await page.locator('gateway-checkout').getByRole('button').first().click()
  const hosted = await popup
  // This number approves every prompt.
  await hosted.getByRole('button', { name: /^Pay KES/ }).click()
}
