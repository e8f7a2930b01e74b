/**
 * Configures the generator of `custom-elements.json`. The generator reads the sources and the built class, and leaves
 * out the members that a page cannot use.
 */

import { GatewayCheckout } from './dist/define.js'

const CLASS = { name: 'GatewayCheckout', module: 'dist/index.js' }
const DEFINITION = 'dist/define.js'

const eventTypes = new Map()

export default {
  globs: ['widget/gateway-checkout.ts', 'widget/define.ts', 'widget/events.ts'],
  outdir: 'widget/dist',
  litelement: true,
  dependencies: false,
  packagejson: false,
  quiet: true,
  plugins: [{ name: 'public-members', analyzePhase, packageLinkPhase }],
}

/**
 * Reads the event types from `CheckoutEventMap`, because the class's doc comment describes the events without their
 * types.
 */
function analyzePhase({ ts, node }) {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'CheckoutEventMap') return
  for (const { name, type } of node.members) eventTypes.set(name.text, { text: type.getText() })
}

function packageLinkPhase({ customElementsManifest }) {
  const element = customElementsManifest.modules
    .flatMap(({ declarations }) => declarations)
    .find(({ name }) => name === CLASS.name)
  element.members = [
    ...element.members.filter((member) => isUsable(member)).map((member) => withAttribute(member)),
    withAttribute({ kind: 'field', name: 'lang', type: { text: 'string' } }),
  ]
  element.attributes = element.members
    .filter(({ attribute, readonly }) => attribute && !readonly)
    .map(({ attribute, name, type, description }) => ({
      name: attribute,
      fieldName: name,
      type,
      description,
    }))
  element.events = element.events.map((event) => ({ ...event, type: eventTypes.get(event.name) }))

  customElementsManifest.modules = [
    {
      kind: 'javascript-module',
      path: CLASS.module,
      declarations: [element],
      exports: [{ kind: 'js', name: CLASS.name, declaration: CLASS }],
    },
    {
      kind: 'javascript-module',
      path: DEFINITION,
      declarations: [],
      exports: [{ kind: 'custom-element-definition', name: 'gateway-checkout', declaration: CLASS }],
    },
  ]
}

/**
 * Returns whether a page can use a member of the class. Only the browser calls the methods whose names end with
 * "Callback".
 */
function isUsable({ name, privacy, static: isStatic }) {
  return !privacy && !isStatic && !name.endsWith('Callback')
}

function withAttribute(member) {
  // Read-only: the element overwrites a value from the page.
  if (member.name === 'state') return { ...member, attribute: 'state', reflects: true }
  const attribute = member.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return GatewayCheckout.observedAttributes.includes(attribute)
    ? { ...member, attribute, reflects: true }
    : member
}
