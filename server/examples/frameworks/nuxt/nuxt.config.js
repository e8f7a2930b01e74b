export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  app: { head: { title: 'Pwani Goods', htmlAttrs: { lang: 'en' } } },
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'gateway-checkout' } },
})
