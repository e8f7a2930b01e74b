/**
 * What a journey needs of a browser, so that it is written once and made in every engine. The words are playwright's,
 * whose own objects satisfy them; where playwright drives an engine, nothing stands between.
 */

export interface Browser<Tab extends Page = Page> {
  /** A shopper of their own: no context knows what another remembers. */
  newContext(): Promise<Context<Tab>>
  close(): Promise<void>
}

export interface Context<Tab extends Page = Page> {
  newPage(): Promise<Tab>
  /** Tabs and pop-ups that are open, each always as the same object. */
  pages(): Tab[] | Promise<Tab[]>
  close(): Promise<void>
  /** What scripts threw, and what the browser wrote to its console. Plain WebDriver tells neither. */
  on?(event: 'weberror', listener: (event: { error(): Error }) => void): unknown
  on?(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown
}

export interface Page {
  goto(url: string): Promise<unknown>
  goBack(): Promise<unknown>
  reload(): Promise<unknown>
  url(): string | Promise<string>
  /** The value of a JavaScript expression, as JSON. */
  evaluate<T>(expression: string): Promise<T>
  /** Reaches into shadow roots, as `getByRole` does. */
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  close(): Promise<void>
}

export type Role = 'button' | 'link' | 'textbox'

/** Elements looked for anew each time. To act is to wait for one that can be acted upon. */
export interface Locator {
  locator(selector: string): Locator
  getByRole(role: Role, options?: { name: RegExp }): Locator
  first(): Locator
  click(): Promise<void>
  fill(text: string): Promise<void>
  inputValue(): Promise<string>
}
