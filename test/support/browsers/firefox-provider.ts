// WebDriver BiDi does not report frame names, so the provider finds the test frame by an attribute.

import { defineBrowserProvider } from '@vitest/browser'
import { PlaywrightBrowserProvider } from '@vitest/browser-playwright'

import { firefoxOptions } from './launch-options.ts'

import type { PlaywrightProviderOptions } from '@vitest/browser-playwright'
import type { BrowserProviderOption } from 'vitest/node'

// In a smaller viewport, Vitest scales the test frame, and clicks do not reach a scaled frame.
const VIEWPORT = { width: 1280, height: 1000 }

export function firefox(executablePath: string): BrowserProviderOption {
  const options: PlaywrightProviderOptions = {
    launchOptions: firefoxOptions(executablePath),
    contextOptions: { viewport: VIEWPORT },
  }
  return defineBrowserProvider({
    name: 'playwright',
    supportedBrowser: ['firefox'],
    options,
    providerFactory: (project) => new FirefoxProvider(project, options),
  })
}

class FirefoxProvider extends PlaywrightBrowserProvider {
  override getCommandsContext(sessionId: string) {
    const context = super.getCommandsContext(sessionId)

    const frame = async () => {
      const holder = await context.page.waitForSelector('iframe[data-vitest]')
      const found = await holder.contentFrame()
      if (found === null) {
        throw new Error('The frame with the test is gone.')
      }
      return found
    }

    return { page: context.page, context: context.context, iframe: context.iframe, frame }
  }
}
