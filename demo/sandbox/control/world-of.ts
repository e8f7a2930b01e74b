import type { Context } from 'hono'
import type { World } from '../world.ts'

/** Returns the state of the merchant whom a request concerns. */
export type WorldOf = (c: Context) => World
