// This script runs in the tested page. WebDriver selectors cannot reach into a shadow root, so the driver finds
// elements by their index in `window.locatedElements`.

import {
  getByLabelSelector,
  getByRoleSelector,
  getByTextSelector,
  Locator,
  selectorEngine,
} from '@vitest/browser/locators'
import { page } from 'vitest/browser'

declare global {
  interface Window {
    locatedElements: Element[]
  }
}

window.locatedElements = []

class LeftElement extends Locator {
  protected override _pwSelector: string

  constructor(selector: string, container?: Element) {
    super()
    this._pwSelector = selector
    this._container = container
  }

  override get selector(): string {
    return String(window.locatedElements.push(this.element()) - 1)
  }

  protected override locator(selector: string): Locator {
    return new LeftElement(`${this._pwSelector} >> ${selector}`, this._container)
  }

  protected override elementLocator(element: Element): Locator {
    return locate(element)
  }
}

page.extend({
  getByRole: (role, options) => new LeftElement(getByRoleSelector(role, options)),
  getByText: (text, options) => new LeftElement(getByTextSelector(text, options)),
  getByLabelText: (text, options) => new LeftElement(getByLabelSelector(text, options)),
  elementLocator: locate,
})

function locate(element: Element): Locator {
  return new LeftElement(selectorEngine.generateSelectorSimple(element), element)
}
