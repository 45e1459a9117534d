/** Settings: what the merchant has configured. */
export { createSettingsModule } from './module.ts';
export { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';
export { createSettingsService, type SettingsService } from './settings.service.ts';
