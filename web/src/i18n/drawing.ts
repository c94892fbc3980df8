/** Texts of the designer, in both languages: they come with its page, not with the first one. */
import './index';
import i18next from 'i18next';
import { designer as designerEn } from './en-US/designer';
import { dryrun as dryrunEn } from './en-US/dryrun';
import { panel as panelEn } from './en-US/panel';
import { designer } from './zh-CN/designer';
import { dryrun } from './zh-CN/dryrun';
import { panel } from './zh-CN/panel';

export const drawingZh = { designer, panel, dryrun };
export const drawingEn = { designer: designerEn, panel: panelEn, dryrun: dryrunEn };

i18next.addResourceBundle('zh-CN', 'translation', drawingZh, true, true);
i18next.addResourceBundle('en-US', 'translation', drawingEn, true, true);
