import { readFileSync } from 'node:fs'

import type { AxeResults } from 'axe-core'

/** Less than half of the text that the module `axe-core` has for pages. Each copy of it is compiled. */
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

interface Page {
  evaluate<T>(expression: string): Promise<T>
}

/** Runs axe in a page. `what` has the parameters of `axe.run`. */
export async function runAxe(page: Page, ...what: object[]): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    await page.evaluate(AXE)
  }

  const parameters = what.map((each) => JSON.stringify(each)).join(', ')
  return page.evaluate(`axe.run(${parameters}).then(({ violations }) => violations)`)
}
