/** The site's fixed choices, in one place: what an installation may want different without touching a screen. */
export const site = {
  /** Written as it appears in the title bar and on the sign-in page. */
  product: { 'zh-CN': '巡维', 'en-US': 'Xunwei' },
  /** Ask for the tenant when signing in; with false the default tenant is used. */
  tenantMode: true,
  defaultTenant: '000000',
  /** Ask for a captcha when signing in. The server's own setting can only switch it off. */
  captchaMode: true,
  /** Age in seconds from which an access token is renewed. */
  tokenTime: 3000,
  /** Seconds between two looks at the token's age. */
  tokenCheck: 10,
  /** Milliseconds after which a request is given up. */
  requestTimeout: 120_000,
  /** Seconds between two looks at the number of waiting tasks. */
  countsPoll: 30,
  colour: '#409EFF',
  language: 'zh-CN',
  /** Codes that are refused without a message. */
  silentCodes: [] as readonly number[],
  home: '/wel/index',
} as const;

export type Language = keyof typeof site.product;
