/** The version of the End User License Agreement in force: the third line of docs/legal/eula.md. Anybody who agreed to another is asked again. */
export const EULA_VERSION = 'Version 1.0, 22 November 2026'
