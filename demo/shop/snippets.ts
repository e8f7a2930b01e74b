export interface Markup {
  attributes: Record<string, string | true>
  slots?: Record<string, string>
  properties?: Record<string, string>
}

export function scriptAddress(bff: string): string {
  return `${bff}/gateway-checkout.js`
}

export function html(markup: Markup, bff: string): string {
  return [
    `<script type="module" src="${scriptAddress(bff)}"></script>`,
    ...element(markup),
    ...style(markup),
    `<script>`,
    `  document.addEventListener('checkout-paid', ({ detail }) => {`,
    `    console.log(detail.order, 'is paid')`,
    `  })`,
    `</script>`,
  ].join('\n')
}

// For React 19 or newer.
export function react(markup: Markup): string {
  const look = Object.entries(markup.properties ?? {}).map(([name, value]) => `'${name}': ${quoted(value)}`)
  const style = look.length === 0 ? [] : [`style={{ ${look.join(', ')} }}`]
  return [
    `import 'gateway-checkout/define'`,
    ``,
    `export function Checkout({ onPaid }) {`,
    `  return (`,
    ...indent(element(markup, [...style, `oncheckout-paid={({ detail }) => onPaid(detail)}`]), 4),
    `  )`,
    `}`,
  ].join('\n')
}

// For Vue 3.
export function vue(markup: Markup): string {
  return [
    `<!-- vite.config.js: vue({ template: { compilerOptions: {`,
    `       isCustomElement: (tag) => tag === 'gateway-checkout' } } }) -->`,
    `<script setup>`,
    `import 'gateway-checkout/define'`,
    ``,
    `const emit = defineEmits(['paid'])`,
    `</script>`,
    ``,
    `<template>`,
    ...indent(element(markup, [`@checkout-paid="emit('paid', $event.detail)"`]), 2),
    `</template>`,
    ...style(markup),
  ].join('\n')
}

export const SNIPPETS: Record<string, (markup: Markup, bff: string) => string> = { html, react, vue }

function element({ attributes, slots = {} }: Markup, more: string[] = []): string[] {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === true ? name : `${name}="${escaped(value)}"`,
  )
  const children = Object.entries(slots).map(([name, text]) => `<span slot="${name}">${escaped(text)}</span>`)
  const start = ['<gateway-checkout', ...indent([...written, ...more], 2)]
  return children.length === 0
    ? [...start, '></gateway-checkout>']
    : [...start, '>', ...indent(children, 2), '</gateway-checkout>']
}

function style({ properties = {} }: Markup): string[] {
  const lines = Object.entries(properties).map(([name, value]) => `${name}: ${declared(value)};`)
  return lines.length === 0 ? [] : ['<style>', '  gateway-checkout {', ...indent(lines, 4), '  }', '</style>']
}

function indent(lines: string[], by: number): string[] {
  return lines.map((line) => ' '.repeat(by) + line)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// React and Vue would interpret unescaped braces.
function escaped(text: string): string {
  return text.replaceAll(/[&<>"{}]/g, (each) => ENTITIES[each] ?? `&#${each.charCodeAt(0)};`)
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}

// These characters could end a CSS declaration.
function declared(value: string): string {
  return value.replaceAll(/[;{}<>]/g, '')
}
