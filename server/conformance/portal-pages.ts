/** Reads pages of the portal as a user who has signed in. */

import { openPortal } from './portal-visitor.ts'

import type { Environment } from '../../demo/sandbox/index.ts'

/** Returns a function that signs in, and resolves with the HTML of the page at a path. */
export function portalPages(
  app: Parameters<typeof openPortal>[0],
  environment: Environment,
  user: { email: string; password: string },
) {
  return async (path: string): Promise<string> => {
    const visitor = openPortal(app, environment)
    await visitor.signIn(user.email, user.password)
    const { status, html } = await visitor.open(path)
    if (status !== 200) {
      throw new Error(`The page ${path} of the portal answered ${status}.`)
    }
    return html
  }
}
