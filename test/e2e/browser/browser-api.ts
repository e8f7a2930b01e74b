/** The browser API of the end-to-end tests. Playwright and `webdriver-browser.ts` implement this API. */
export interface Browser<Tab extends Page = Page> {
  newContext(): Promise<Context<Tab>>
  close(): Promise<void>
}

export interface Context<Tab extends Page = Page> {
  newPage(): Promise<Tab>
  pages(): Tab[] | Promise<Tab[]>
  close(): Promise<void>
  /** Adds a listener; `undefined` in WebKit, because WebDriver reports no script errors and no console messages. */
  on?(event: 'weberror', listener: (event: { error(): Error }) => void): unknown
  on?(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown
}

export interface Page {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  url(): string | Promise<string>
  evaluate<T>(expression: string): Promise<T>
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  close(): Promise<void>
}

export type Role = 'button' | 'link' | 'textbox'

/** A query for a DOM node. Each use runs the query again. Actions, such as a click, wait until the node can be used. */
export interface Locator {
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  first(): Locator
  click(): Promise<void>
  fill(text: string): Promise<void>
}
