/** Provides the second file before the element is defined: the elements of the page then have it at once. */

import * as flow from './flow.ts'
import { provideFlow } from './flow-loader.ts'

provideFlow(flow)
