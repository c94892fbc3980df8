/** Changing the language: a button that offers the other one by its own name. */
import { GlobalOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { setLanguage, useLanguage, useTranslation } from '@/i18n';
import type { Language } from '@/site';

/** What each language is called in itself. */
export const OWN_NAMES: Readonly<Record<Language, string>> = { 'zh-CN': '\u4e2d\u6587', 'en-US': 'English' };

/** Returns the other language and the act of changing to it. Where its texts do not come, the language stays and the
 * person is told. */
export function useOtherLanguage(): { other: Language; change: () => Promise<void> } {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const other = useLanguage() === 'zh-CN' ? 'en-US' : 'zh-CN';
  const change = () => setLanguage(other).catch(() => void message.error(t('app.languageFailed')));
  return { other, change };
}

export function LanguageSwitch() {
  const { other, change } = useOtherLanguage();
  return (
    <Button type="text" icon={<GlobalOutlined />} lang={other} onClick={change}>
      {OWN_NAMES[other]}
    </Button>
  );
}
