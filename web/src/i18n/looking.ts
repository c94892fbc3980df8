/** Texts of the pages on which drawings are looked at, in both languages: they come with these, not with the first page. */
import i18next from 'i18next';
import { compare as compareEn } from './en-US/compare';
import { times as timesEn } from './en-US/times';
import { compare } from './zh-CN/compare';
import { times } from './zh-CN/times';

export const looking = { compare, times };
export const lookingEn = { compare: compareEn, times: timesEn };

i18next.addResourceBundle('zh-CN', 'translation', looking, true, true);
i18next.addResourceBundle('en-US', 'translation', lookingEn, true, true);
