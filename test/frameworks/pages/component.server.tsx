/** @jsxImportSource react */

import { renderToString } from 'react-dom/server.browser'

import { Basket } from './component.tsx'

export const rendered = renderToString(<Basket />)
