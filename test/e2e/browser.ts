/**
 * The browser interface of the end-to-end tests, so that each test runs in every engine. It is a subset of playwright's
 * API, so playwright's objects implement it directly; `browser/webkit.ts` implements it over WebDriver.
 */

export interface Browser<Tab extends Page = Page> {
  newContext(): Promise<Context<Tab>>
  close(): Promise<void>
}

export interface Context<Tab extends Page = Page> {
  newPage(): Promise<Tab>
  /** Returns the open tabs and pop-ups. A window is the same object in every call. */
  pages(): Tab[] | Promise<Tab[]>
  close(): Promise<void>
  /**
   * Calls the listener for each script error or console message. Missing in WebKit, because WebDriver reports neither.
   */
  on?(event: 'weberror', listener: (event: { error(): Error }) => void): unknown
  on?(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown
}

export interface Page {
  goto(url: string): Promise<unknown>
  goBack(): Promise<unknown>
  reload(): Promise<unknown>
  url(): string | Promise<string>
  /** Evaluates a JavaScript expression in the page. The value must be JSON. */
  evaluate<T>(expression: string): Promise<T>
  /** Finds elements by CSS selector. Like `getByRole`, it also searches shadow roots. */
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  close(): Promise<void>
}

export type Role = 'button' | 'link' | 'textbox'

/** A query for an element, which runs anew on each use. Actions wait until a matching element can be used. */
export interface Locator {
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  first(): Locator
  click(): Promise<void>
  fill(text: string): Promise<void>
  inputValue(): Promise<string>
}
