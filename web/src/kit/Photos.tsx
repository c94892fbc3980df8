/** Pictures as thumbnails that open in a viewer. */
import { Image } from 'antd';
import { useTranslation } from '@/i18n';

export function Photos({ links }: { links: readonly string[] | null | undefined }) {
  const { t } = useTranslation();
  if (!links?.length) return <span className="x-quiet">{t('kit.photos.none')}</span>;
  return (
    <div className="x-photos">
      <Image.PreviewGroup>
        {links.map((link, index) => (
          <div className="x-photo" key={link}>
            <Image src={link} alt={t('kit.photos.preview', { n: index + 1 })} width="100%" height="100%" />
          </div>
        ))}
      </Image.PreviewGroup>
    </div>
  );
}
