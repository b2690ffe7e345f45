/** The poster of the demo concert: a night train under the stars. */
export const posterSvg = (): string => {
  const stars = Array.from({ length: 70 }, (_, index) => {
    const x = (index * 197) % 800;
    const y = (index * 89) % 250;
    return `<circle cx="${x}" cy="${y}" r="${0.7 + (index % 4) * 0.4}" opacity="${0.35 + (index % 5) * 0.13}"/>`;
  }).join("");
  const windows = Array.from({ length: 15 }, (_, index) => {
    const x = 92 + index * 36 + (index > 4 ? 14 : 0) + (index > 9 ? 14 : 0);
    return `<rect x="${x}" y="334" width="22" height="20" rx="3"/>`;
  }).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 450" role="img" aria-label="A night train crossing a bridge under the stars">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#10173a"/><stop offset=".62" stop-color="#5a3566"/><stop offset="1" stop-color="#e0785a"/></linearGradient></defs>
<rect width="800" height="450" fill="url(#sky)"/>
<g fill="#fff7e0">${stars}</g>
<circle cx="640" cy="96" r="38" fill="#fff1cf"/><circle cx="626" cy="88" r="34" fill="#2b2450"/>
<path d="M0 330 90 262l88 52 96-88 104 82 92-60 110 74 90-46 130 62v112H0Z" fill="#3a2450"/>
<path d="M0 372 120 332l140 34 150-40 170 42 220-36v118H0Z" fill="#251938"/>
<g fill="#16112a"><path d="M0 372h800v10H0z"/>${Array.from({ length: 9 }, (_, index) => `<path d="M${index * 96 + 6} 382h14v68h-14z"/>`).join("")}</g>
<g fill="#0d0b1c"><path d="M80 322h186v50H80zM280 322h186v50H280zM480 322h186v50H480z"/><path d="M680 322h52q34 4 44 50h-96z"/></g>
<g fill="#ffd58a">${windows}<path d="M700 332h28q14 3 20 20h-48z"/></g>
<path d="M776 358l24-6v24l-24-4z" fill="#ffe9b8" opacity=".7"/>
</svg>`;
};
