/** Notices to everybody in the company. */
import { notice } from '@/api/nouns/notice';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';

export default function Notices() {
  const { t } = useTranslation();
  return (
    <NounPage
      noun={notice}
      name="title"
      columns={['title', 'categoryName', 'releaseTime']}
      filters={['title', 'category', 'releaseTime']}
      form={['title', 'category', { key: 'releaseTime', hint: t('system.releaseHint') }, 'content']}
    />
  );
}
