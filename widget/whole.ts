/** Defines the element in a script that contains both files, so that the element downloads nothing later. */

import './element/whole-flow.ts'

export * from './define.ts'
