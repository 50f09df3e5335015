/** How long a captcha challenge may be solved and its solution used. */
export const CAPTCHA_SECONDS = 20 * 60
