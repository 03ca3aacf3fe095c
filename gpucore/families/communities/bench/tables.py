"""Table 1 of the Louvain paper, and the graphs of ours that stand for some of its own.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, table I.
"""

from __future__ import annotations

from gpucore.bench.suite import Table

#: Name, vertices, edges, seconds of the sequential method, seconds on a Tesla K40m.
TABLE_1 = (
    ("out.actor-collaboration", 382_220, 33_115_812, 6.81, 2.53),
    ("hollywood-2009", 1_139_905, 56_375_711, 17.49, 4.69),
    ("audikw_1", 943_695, 38_354_076, 42.42, 1.9),
    ("dielFilterV3real", 1_102_824, 44_101_598, 21.99, 1.54),
    ("F1", 343_791, 13_246_661, 9.81, 0.75),
    ("com-orkut", 3_072_627, 117_185_083, 197.98, 16.83),
    ("Flan_1565", 1_564_794, 57_920_625, 115.55, 3.39),
    ("inline_1", 503_712, 18_156_315, 9.07, 1.29),
    ("bone010", 986_703, 35_339_811, 58.14, 0.94),
    ("boneS10", 914_898, 27_276_762, 24.48, 0.97),
    ("Long_Coup_dt6", 1_470_152, 42_809_420, 41.51, 1.4),
    ("Cube_Coup_dt0", 2_164_760, 62_520_692, 68.84, 2.7),
    ("Cube_Coup_dt6", 2_164_760, 62_520_692, 67.35, 2.69),
    ("coPapersDBLP", 540_486, 15_245_729, 3.33, 0.73),
    ("Serena", 1_391_349, 31_570_176, 38.15, 0.76),
    ("Emilia_923", 923_136, 20_041_035, 22.39, 0.57),
    ("Si87H76", 240_369, 5_210_631, 2.6, 0.77),
    ("Geo_1438", 1_437_960, 30_859_365, 40.94, 1.09),
    ("dielFilterV2real", 1_157_456, 23_690_748, 39.6, 0.62),
    ("Hook_1498", 1_498_023, 29_709_711, 36.49, 0.71),
    ("soc-pokec-relationships", 1_632_803, 30_622_562, 36.61, 4.52),
    ("gsm_106857", 589_446, 10_584_739, 8.48, 0.34),
    ("uk-2002", 18_520_486, 292_243_663, 385.34, 8.21),
    ("soc-LiveJournal1", 4_847_571, 68_475_391, 117.61, 8.15),
    ("nlpkkt200", 16_240_000, 215_992_816, 327.42, 26.11),
    ("nlpkkt160", 8_345_600, 110_586_256, 168.56, 11.54),
    ("nlpkkt120", 3_542_400, 46_651_696, 78.08, 3.97),
    ("bone010_M", 986_703, 11_451_036, 63.5, 0.52),
    ("cnr-2000", 325_557, 3_128_710, 2.27, 0.26),
    ("boneS10_M", 914_898, 8_787_288, 27.42, 0.52),
    ("out.flickr-links", 1_715_256, 15_551_249, 9.25, 2.64),
    ("channel-500x100x100-b050", 4_802_000, 42_681_372, 934.17, 6.67),
    ("com-lj", 4_036_538, 34_681_189, 78.09, 5.25),
    ("packing-500x100x100-b050", 2_145_852, 17_488_243, 360.42, 1.19),
    ("rgg_n_2_24_s0", 16_777_216, 132_557_200, 132.87, 4.95),
    ("offshore", 259_789, 1_991_442, 13.14, 0.15),
    ("rgg_n_2_23_s0", 8_388_608, 63_501_393, 60.44, 2.42),
    ("rgg_n_2_22_s0", 4_194_304, 30_359_198, 30.48, 1.2),
    ("StocF-1465", 1_465_137, 9_770_126, 177.86, 0.57),
    ("out.flixster", 2_523_387, 7_918_801, 16.9, 2.11),
    ("delaunay_n24", 16_777_216, 50_331_601, 95.6, 1.6),
    ("out.youtube-u-growth", 3_223_585, 9_375_369, 18.46, 2.62),
    ("com-youtube", 1_157_828, 2_987_624, 4.58, 1.0),
    ("com-dblp", 425_957, 1_049_866, 2.4, 0.22),
    ("com-amazon", 548_552, 925_872, 2.53, 0.26),
    ("hugetrace-00020", 16_002_413, 23_998_813, 101.84, 1.43),
    ("hugebubbles-00020", 21_198_119, 31_790_179, 126.79, 2.01),
    ("hugebubbles-00010", 19_458_087, 29_179_764, 116.9, 1.87),
    ("hugebubbles-00000", 18_318_143, 27_470_081, 115.88, 1.6),
    ("road_usa", 23_947_347, 28_854_312, 132.38, 1.93),
    ("germany_osm", 11_548_845, 12_369_181, 42.48, 1.64),
    ("asia_osm", 11_950_757, 12_711_603, 42.86, 7.22),
    ("europe_osm", 50_912_018, 54_054_660, 197.07, 22.21),
    ("italy_osm", 6_686_493, 7_013_978, 24.33, 4.82),
    ("out.livejournal-links", 5_204_175, 2_516_088, 25.33, 1.39),
)
#: Graphs of table 1 in public collections; the others are KONECT's.
REAL = tuple(
    f"suitesparse:{group}/{name}"
    for group, names in {
        "GHS_psdef": "audikw_1 inline_1",
        "LAW": "hollywood-2009 uk-2002 cnr-2000",
        "Dziekonski": "dielFilterV3real dielFilterV2real gsm_106857",
        "Koutsovasilis": "F1",
        "Janna": "Flan_1565 Long_Coup_dt6 Cube_Coup_dt0 Cube_Coup_dt6 Serena Emilia_923 Geo_1438 "
        "Hook_1498 StocF-1465",
        "Oberwolfach": "bone010 boneS10",
        "DIMACS10": "coPapersDBLP channel-500x100x100-b050 packing-500x100x100-b050 "
        "rgg_n_2_24_s0 rgg_n_2_23_s0 rgg_n_2_22_s0 delaunay_n24 hugetrace-00020 "
        "hugebubbles-00020 hugebubbles-00010 hugebubbles-00000 road_usa germany_osm asia_osm "
        "europe_osm italy_osm",
        "PARSEC": "Si87H76",
        "SNAP": "soc-LiveJournal1",
        "Schenk": "nlpkkt200 nlpkkt160 nlpkkt120",
        "Um": "offshore",
    }.items()
    for name in names.split()
) + tuple(
    f"snap:{name}"
    for name in (
        "com-orkut",
        "com-lj",
        "com-youtube",
        "com-dblp",
        "com-amazon",
        "soc-pokec-relationships",
    )
)
#: Generated graphs of the classes of the paper's graphs.
STANDS_FOR = {
    "delaunay20": "delaunay_n24 (same class, a sixteenth of the size)",
    "delaunay21": "delaunay_n24 (same class, an eighth of the size)",
    "rgg21": "rgg_n_2_22_s0 (same class, half the size)",
    "rgg22": "rgg_n_2_22_s0 (same class and size)",
    "grid": "road networks and meshes such as hugetrace-00020 (small degrees)",
    "rmat20": "social networks such as soc-pokec-relationships (skewed degrees)",
    "rmat22": "social networks such as soc-LiveJournal1 (skewed degrees)",
    "sbm": "graphs with planted communities; none in the paper",
}


def published_rows() -> Table:
    """Return the paper's table."""
    head = ("graph", "vertices", "edges", "sequential", "GPU", "speed-up")
    rows = [
        [name, f"{n:,}", f"{m:,}", f"{serial:.2f} s", f"{gpu:.2f} s", f"{serial / gpu:.1f}"]
        for name, n, m, serial, gpu in TABLE_1
    ]
    note = (
        "As printed, with the misprinted names corrected (nlpkkt, Cube_Coup_dt0); the speed-up is "
        "the quotient of both times."
    )
    return Table("The paper's table 1", head, rows, note)
