// Which roles users of the portal have, and who may do what. [assumed] The spec leaves the access levels of users to
// the portal. [spec: What the service does, 3]

/** What each role may do, as the portal says it. */
export const ROLES = {
  owner: 'owner: may do everything, including users and onboarding',
  developer: 'developer: manages API keys, services and callbacks',
  finance: 'finance: moves money: refunds, reversals and the float',
  viewer: 'viewer: reads everything and changes nothing',
} as const
export type Role = keyof typeof ROLES

export type Roles = readonly Role[]

export const EVERYONE: Roles = ['owner', 'developer', 'finance', 'viewer']
export const DEVELOPERS: Roles = ['owner', 'developer']
export const FINANCE: Roles = ['owner', 'finance']
export const STATEMENT_READERS: Roles = ['owner', 'finance', 'viewer']
export const OWNERS: Roles = ['owner']
