import type { Locator, Page } from '@playwright/test'

/** The open dialog with this name. */
export const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
